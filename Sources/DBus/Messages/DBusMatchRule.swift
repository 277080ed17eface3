/// A rule that selects signals. A property that is `nil` matches any value (D-Bus specification, "Match Rules").
package struct DBusMatchRule: Hashable, Sendable {
  /// The bus name of the sender. A well-known name selects only the signals of its current owner.
  package var sender: String?
  package var interface: String?
  package var member: String?
  package var path: String?
  /// Selects this path and all paths below it. Cannot be combined with `path`.
  package var pathNamespace: String?
  /// Selects signals whose first argument is a string equal to this one.
  package var argument0: String?

  package init(
    sender: String? = nil, interface: String? = nil, member: String? = nil, path: String? = nil,
    pathNamespace: String? = nil, argument0: String? = nil
  ) {
    self.sender = sender
    self.interface = interface
    self.member = member
    self.path = path
    self.pathNamespace = pathNamespace
    self.argument0 = argument0
  }

  /// The rule in the syntax of the bus.
  package var text: String {
    let parts: [(key: String, value: String?)] = [
      ("type", "signal"), ("sender", sender), ("interface", interface), ("member", member), ("path", path),
      ("path_namespace", pathNamespace), ("arg0", argument0),
    ]
    return parts.compactMap { key, value in value.map { "\(key)='\(Self.escaped($0))'" } }.joined(separator: ",")
  }

  /// The well-known name whose owner has to be known to recognise a genuine signal.
  var trackedSender: String? {
    guard let sender, !sender.hasPrefix(":"), sender != BusNames.destination else { return nil }
    return sender
  }

  func validate() throws(DBusError) {
    if let sender, !DBusSyntax.isBusName(sender) { throw .invalid("sender \"\(sender)\"") }
    if let interface, !DBusSyntax.isInterface(interface) { throw .invalid("interface \"\(interface)\"") }
    if let member, !DBusSyntax.isMember(member) { throw .invalid("member \"\(member)\"") }
    if let argument0, !DBusSyntax.isString(argument0) { throw .invalid("a NUL in a first argument") }
    if let path, !DBusSyntax.isObjectPath(path) { throw .invalid("path \"\(path)\"") }
    if let pathNamespace, !DBusSyntax.isObjectPath(pathNamespace) {
      throw .invalid("path namespace \"\(pathNamespace)\"")
    }
    if path != nil, pathNamespace != nil { throw .invalid("path and path namespace in one match rule") }
  }

  /// Escapes a value for use in quotes, where all characters are literal except the apostrophe, which is written outside of
  /// them.
  private static func escaped(_ value: String) -> String {
    value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
  }
}
