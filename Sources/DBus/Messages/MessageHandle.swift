import CDBus

/// A reference to a libdbus message, released on deinitialisation.
///
/// Sendable although libdbus messages have no lock: a message is built by one thread and only read after it is passed on. Call
/// `prepareForReaders()` before several threads may read it. The reference count is atomic in libdbus.
final class MessageHandle: @unchecked Sendable {
  let message: OpaquePointer

  /// Takes ownership of one reference.
  init(owning message: OpaquePointer) {
    self.message = message
  }

  /// Adds a reference to a message that libdbus owns.
  init(retaining message: OpaquePointer) {
    self.message = dbus_message_ref(message)
  }

  deinit {
    dbus_message_unref(message)
  }

  // MARK: - Building

  static func call(_ call: DBusMethodCall, replyExpected: Bool = true) throws(DBusError) -> MessageHandle {
    guard DBusSyntax.isBusName(call.destination) else { throw .invalid("destination \"\(call.destination)\"") }
    guard DBusSyntax.isInterface(call.interface) else { throw .invalid("interface \"\(call.interface)\"") }
    guard DBusSyntax.isMember(call.member) else { throw .invalid("member \"\(call.member)\"") }
    try refuseLocal(path: call.path, interface: call.interface)
    let handle = try new(
      dbus_message_new_method_call(call.destination, call.path.text, call.interface, call.member))
    // By default, a late call must not start a service that was stopped deliberately.
    dbus_message_set_auto_start(handle.message, call.startsService ? 1 : 0)
    if !replyExpected { dbus_message_set_no_reply(handle.message, 1) }
    try handle.append(call.arguments, path: call.path)
    return handle
  }

  static func signal(
    path: DBusObjectPath, interface: String, member: String, arguments: [DBusValue], destination: String?
  ) throws(DBusError) -> MessageHandle {
    guard DBusSyntax.isInterface(interface) else { throw .invalid("interface \"\(interface)\"") }
    guard DBusSyntax.isMember(member) else { throw .invalid("member \"\(member)\"") }
    try refuseLocal(path: path, interface: interface)
    let handle = try new(dbus_message_new_signal(path.text, interface, member))
    if let destination {
      guard DBusSyntax.isBusName(destination) else { throw .invalid("destination \"\(destination)\"") }
      guard dbus_message_set_destination(handle.message, destination) != 0 else { throw .outOfMemory }
    }
    try handle.append(arguments, path: path)
    return handle
  }

  /// The reply to this call.
  func reply(_ arguments: [DBusValue]) throws(DBusError) -> MessageHandle {
    let handle = try Self.new(dbus_message_new_method_return(message))
    try handle.append(arguments, path: .root)
    return handle
  }

  /// The error reply to this call; a name or text that D-Bus does not allow is replaced.
  func errorReply(name: String, text: String) throws(DBusError) -> MessageHandle {
    try Self.new(
      dbus_message_new_error(
        message, DBusSyntax.isErrorName(name) ? name : BusNames.failed,
        text.utf8.count <= MessageMeasure.largestMessage / 2 && DBusSyntax.isString(text) ? text : ""))
  }

  private static func new(_ message: OpaquePointer?) throws(DBusError) -> MessageHandle {
    guard let message else { throw .outOfMemory }
    return MessageHandle(owning: message)
  }

  /// Refuses the path and the interface that are reserved for libdbus. The bus closes a connection that sends such messages.
  private static func refuseLocal(path: DBusObjectPath, interface: String) throws(DBusError) {
    guard path.text != BusNames.localPath, interface != BusNames.localInterface else {
      throw .invalid("a message of \(BusNames.localInterface)")
    }
  }

  private func append(_ arguments: [DBusValue], path: DBusObjectPath) throws(DBusError) {
    guard !arguments.isEmpty || path.text.utf8.count > 1024 else { return }
    var measure = MessageMeasure(path: path)
    try measure.add(body: arguments)
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    for argument in arguments { try MessageWriter.append(argument, to: &iterator) }
  }

  // MARK: - Reading

  /// Makes libdbus convert the message to the native byte order, which it does in place at the first read.
  func prepareForReaders() {
    var iterator = DBusMessageIter()
    dbus_message_iter_init(message, &iterator)
  }

  var type: Int32 { dbus_message_get_type(message) }
  var sender: String? { dbus_message_get_sender(message).map { String(cString: $0) } }
  var interface: String? { dbus_message_get_interface(message).map { String(cString: $0) } }
  var member: String? { dbus_message_get_member(message).map { String(cString: $0) } }
  var path: DBusObjectPath? { dbus_message_get_path(message).map { DBusObjectPath(trusted: String(cString: $0)) } }

  func arguments() throws(DBusError) -> [DBusValue] { try MessageReader.arguments(of: message) }

  /// The error that an error reply carries.
  var remoteError: DBusError {
    let name = dbus_message_get_error_name(message).map { String(cString: $0) } ?? BusNames.failed
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(message, &iterator) != 0,
      case .string(let text)? = try? MessageReader.value(at: &iterator, type: .string)
    else { return .remote(name: name, message: "") }
    return .remote(name: name, message: text)
  }
}
