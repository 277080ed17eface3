import DBus

/// Parses the messages that build the object tree. A message that differs from the documented form is an error
/// (`DBusError.unexpected`).
enum BlueZMessage {
  /// A change of the tree.
  enum Change: Sendable {
    case added(path: String, [String: BlueZObjectTree.Properties])
    case removed(path: String, [String])
    case changed(path: String, interface: String, BlueZObjectTree.Properties, invalidated: [String])
  }

  /// Parses the reply to GetManagedObjects: a{oa{sa{sv}}}.
  static func managedObjects(
    _ arguments: [DBusValue],
  ) throws(DBusError) -> [(path: String, interfaces: [String: BlueZObjectTree.Properties])] {
    guard case .dictionary(_, _, let objects) = try arguments.exactly(1)[0] else {
      throw .unexpected("GetManagedObjects did not answer with a dictionary of objects")
    }
    var result: [(path: String, interfaces: [String: BlueZObjectTree.Properties])] = []
    for (path, interfaces) in objects { result.append((try path.asPath().text, try self.interfaces(interfaces))) }
    return result
  }

  /// Parses a signal of ObjectManager or Properties. Returns `nil` for other signals.
  static func change(_ signal: DBusSignal) throws(DBusError) -> Change? {
    switch (signal.interface, signal.member) {
    case (BlueZName.Interface.objectManager, BlueZName.Member.interfacesAdded):
      let arguments = try signal.arguments.exactly(2)
      return .added(path: try arguments[0].asPath().text, try interfaces(arguments[1]))
    case (BlueZName.Interface.objectManager, BlueZName.Member.interfacesRemoved):
      let arguments = try signal.arguments.exactly(2)
      return .removed(path: try arguments[0].asPath().text, try texts(arguments[1]))
    case (BlueZName.Interface.properties, BlueZName.Member.propertiesChanged):
      let arguments = try signal.arguments.exactly(3)
      return .changed(
        path: signal.path.text, interface: try arguments[0].asString(), try arguments[1].asProperties(),
        invalidated: try texts(arguments[2]))
    default: return nil
    }
  }

  private static func interfaces(_ value: DBusValue) throws(DBusError) -> [String: BlueZObjectTree.Properties] {
    guard case .dictionary(_, _, let entries) = value else {
      throw .unexpected("the interfaces of an object are not a dictionary")
    }
    var interfaces: [String: BlueZObjectTree.Properties] = [:]
    for (name, properties) in entries { interfaces[try name.asString()] = try properties.asProperties() }
    return interfaces
  }

  private static func texts(_ value: DBusValue) throws(DBusError) -> [String] {
    guard case .array(_, let elements) = value else { throw .unexpected("expected an array of strings") }
    var texts: [String] = []
    for element in elements { texts.append(try element.asString()) }
    return texts
  }
}
