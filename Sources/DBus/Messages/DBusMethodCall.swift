/// A method call to be sent. It starts no service that is not running.
package struct DBusMethodCall: Sendable {
  /// Bus name, well-known or unique.
  package var destination: String
  package var path: DBusObjectPath
  package var interface: String
  package var member: String
  package var arguments: [DBusValue]

  package init(
    destination: String, path: DBusObjectPath, interface: String, member: String, arguments: [DBusValue] = []
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }
}
