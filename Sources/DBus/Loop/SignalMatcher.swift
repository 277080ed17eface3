import CDBus

/// Matches a signal against a rule. libdbus delivers every signal that any rule of the connection selects, and signals
/// addressed to this connection.
struct SignalMatcher {
  let rule: DBusMatchRule

  static func isSent(_ message: OpaquePointer, by uniqueName: String) -> Bool {
    dbus_message_has_sender(message, uniqueName) != 0
  }

  /// Whether the rule selects the message, without regard to the sender.
  func matches(_ message: OpaquePointer) -> Bool {
    if let member = rule.member, dbus_message_has_member(message, member) == 0 { return false }
    if let interface = rule.interface, dbus_message_has_interface(message, interface) == 0 { return false }
    if let path = rule.path, dbus_message_has_path(message, path) == 0 { return false }
    if let namespace = rule.pathNamespace {
      guard let path = dbus_message_get_path(message),
        DBusSyntax.isPath(String(cString: path), within: namespace)
      else { return false }
    }
    if let argument0 = rule.argument0 {
      var iterator = DBusMessageIter()
      guard dbus_message_iter_init(message, &iterator) != 0,
        case .string(argument0)? = try? MessageReader.value(at: &iterator, type: .string)
      else { return false }
    }
    return true
  }
}
