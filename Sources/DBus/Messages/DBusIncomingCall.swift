/// A method call to an exported object.
package struct DBusIncomingCall: Hashable, Sendable {
  /// The unique name of the caller, set by the bus.
  package var sender: String
  package var path: DBusObjectPath
  /// `nil` if the caller did not specify an interface.
  package var interface: String?
  package var member: String
  package var arguments: [DBusValue]
  package var replyExpected: Bool

  package init(
    sender: String, path: DBusObjectPath, interface: String?, member: String, arguments: [DBusValue],
    replyExpected: Bool
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
    self.replyExpected = replyExpected
  }

  /// The error to throw for a method that the object does not have.
  package var unknownMethod: DBusError {
    .remote(
      name: "org.freedesktop.DBus.Error.UnknownMethod",
      message: "\(path) has no method \(interface.map { $0 + "." } ?? "")\(member)")
  }
}
