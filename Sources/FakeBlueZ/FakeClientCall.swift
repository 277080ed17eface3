import DBus

/// A call that the daemon owes to a client and for whose answer it does not wait.
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
