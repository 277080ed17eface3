import CDBus

/// A message as the bytes that go over a socket, apart from any connection.
package struct DBusWireMessage: Sendable {
  private let handle: MessageHandle

  /// The message that these bytes are; `nil` when libdbus finds them invalid, as it would on a connection.
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

  /// A signal with these arguments.
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

  /// - Throws: `DBusError.unexpected` for values that are not read, such as file descriptors that did not come with it.
  package func arguments() throws(DBusError) -> [DBusValue] { try handle.arguments() }

  /// The message as a signal; `nil` when it is none.
  package var signal: DBusSignal? { DBusSignal(handle, arrivalNanoseconds: 0) }
}
