import CDBus

/// A message in its wire format, independent of any connection.
package struct DBusWireMessage: Sendable {
  private let handle: MessageHandle

  /// Parses a message, or returns `nil` if libdbus rejects the bytes as it would on a connection.
  package init?(_ bytes: [UInt8]) {
    guard let length = Int32(exactly: bytes.count) else { return nil }
    var error = CDBus.DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    let message = bytes.withUnsafeBytes { buffer in
      dbus_message_demarshal(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), length, &error)
    }
    guard let message else { return nil }
    handle = MessageHandle(owning: message)
  }

  /// Creates a signal with these arguments.
  /// - Throws: `DBusError.invalid` for names or values that D-Bus does not allow.
  package init(
    signal member: String, of interface: String, path: DBusObjectPath, arguments: [DBusValue]
  ) throws(DBusError) {
    handle = try MessageHandle.signal(
      path: path, interface: interface, member: member, arguments: arguments, destination: nil)
    dbus_message_set_serial(handle.message, 1)
  }

  /// The bytes of the message.
  /// - Throws: `DBusError.outOfMemory`.
  package func bytes() throws(DBusError) -> [UInt8] {
    var start: UnsafeMutablePointer<CChar>?
    var count: Int32 = 0
    guard dbus_message_marshal(handle.message, &start, &count) != 0, let start else { throw .outOfMemory }
    defer { dbus_free(start) }
    return UnsafeRawBufferPointer(start: start, count: Int(count)).map(\.self)
  }

  /// The signature of the arguments.
  package var signature: String {
    dbus_message_get_signature(handle.message).map { String(cString: $0) } ?? ""
  }

  /// - Throws: `DBusError.unexpected` for values that cannot be read, such as file descriptors that were not sent with the
  ///   message.
  package func arguments() throws(DBusError) -> [DBusValue] { try handle.arguments() }

  /// The message as a signal, or `nil` if it is not a signal.
  package var signal: DBusSignal? { DBusSignal(handle, arrivalNanoseconds: 0) }
}
