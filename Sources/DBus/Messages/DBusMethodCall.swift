/// A method call to send.
package struct DBusMethodCall: Sendable {
  /// The bus name of the destination, well-known or unique.
  package var destination: String
  package var path: DBusObjectPath
  package var interface: String
  package var member: String
  package var arguments: [DBusValue]
  /// Whether the bus may start the called service.
  package var startsService: Bool

  package init(
    destination: String, path: DBusObjectPath, interface: String, member: String, arguments: [DBusValue] = [],
    startsService: Bool = false,
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
    self.startsService = startsService
  }
}
