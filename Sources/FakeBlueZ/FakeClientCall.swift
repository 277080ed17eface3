import DBus

/// A pending call from the daemon to a client, whose answer is not awaited.
struct FakeClientCall: Sendable {
  let owner: String
  let path: DBusObjectPath
  let interface: String
  let member: String
  var arguments: [DBusValue] = []

  var message: DBusMethodCall {
    DBusMethodCall(destination: owner, path: path, interface: interface, member: member, arguments: arguments)
  }
}
