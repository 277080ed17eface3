import DBus

/// A signal of the object tree, in the order in which bluetoothd would send it.
package enum FakeSignal: Hashable, Sendable {
  case added(DBusObjectPath, [String: [String: DBusValue]])
  case removed(DBusObjectPath, [String])
  case changed(DBusObjectPath, interface: String, [String: DBusValue], invalidated: [String])

  /// Path, interface, member and arguments on the bus.
  var message: (path: DBusObjectPath, interface: String, member: String, arguments: [DBusValue]) {
    switch self {
    case .added(let path, let interfaces):
      (
        .root, FakeNames.objectManager, "InterfacesAdded",
        [.objectPath(path), FakeObjectTree.encode(interfaces: interfaces)]
      )
    case .removed(let path, let interfaces):
      (
        .root, FakeNames.objectManager, "InterfacesRemoved",
        [.objectPath(path), .array(of: .string, interfaces.map { .string($0) })]
      )
    case .changed(let path, let interface, let properties, let invalidated):
      (
        path, FakeNames.properties, "PropertiesChanged",
        [
          .string(interface), FakeObjectTree.encode(properties: properties),
          .array(of: .string, invalidated.map { .string($0) }),
        ]
      )
    }
  }
}
