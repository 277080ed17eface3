extension BusNames {
  static func call(_ member: String, _ arguments: [DBusValue]) -> DBusMethodCall {
    DBusMethodCall(destination: destination, path: path, interface: interface, member: member, arguments: arguments)
  }

  static func ownerRule(of name: String) -> DBusMatchRule {
    DBusMatchRule(
      sender: destination, interface: interface, member: nameOwnerChanged, path: path.text, argument0: name)
  }
}
