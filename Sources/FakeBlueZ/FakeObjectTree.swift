import DBus

/// The objects that the fake daemon exports, and the unsent signals of their changes.
package struct FakeObjectTree: Sendable {
  package typealias Properties = [String: DBusValue]

  /// Properties by interface, by object.
  package private(set) var objects: [DBusObjectPath: [String: Properties]] = [:]
  private var pending: [FakeSignal] = []

  package init() {}

  // MARK: - Changing the tree

  /// Adds interfaces to an object, and the object itself if it is new.
  mutating func add(_ path: DBusObjectPath, _ interfaces: [String: Properties]) {
    objects[path, default: [:]].merge(interfaces) { $1 }
    pending.append(.added(path, interfaces))
  }

  /// Removes an object with all its interfaces. Has no effect if there is no such object.
  mutating func remove(_ path: DBusObjectPath) {
    guard let interfaces = objects.removeValue(forKey: path) else { return }
    pending.append(.removed(path, interfaces.keys.sorted()))
  }

  /// Removes one interface of an object. Has no effect if the object lacks it.
  mutating func remove(_ path: DBusObjectPath, _ interface: String) {
    guard objects[path]?.removeValue(forKey: interface) != nil else { return }
    pending.append(.removed(path, [interface]))
  }

  /// Sets properties and emits one signal for those that change.
  mutating func set(_ path: DBusObjectPath, _ interface: String, _ properties: Properties) {
    guard let current = objects[path]?[interface] else { return }
    let changed = properties.filter { current[$0.key] != $0.value }
    guard !changed.isEmpty else { return }
    announce(path, interface, changed)
  }

  /// Sets properties without a signal.
  mutating func note(_ path: DBusObjectPath, _ interface: String, _ properties: Properties) {
    for (name, value) in properties { objects[path]?[interface]?[name] = value }
  }

  /// Sets properties and signals them even if unchanged: every notification is one signal.
  mutating func announce(_ path: DBusObjectPath, _ interface: String, _ properties: Properties) {
    guard objects[path]?[interface] != nil else { return }
    for (name, value) in properties { objects[path]?[interface]?[name] = value }
    pending.append(.changed(path, interface: interface, properties, invalidated: []))
  }

  /// Removes properties and signals them as invalidated.
  mutating func invalidate(_ path: DBusObjectPath, _ interface: String, _ names: [String]) {
    let gone = names.filter { objects[path]?[interface]?.removeValue(forKey: $0) != nil }
    guard !gone.isEmpty else { return }
    pending.append(.changed(path, interface: interface, [:], invalidated: gone))
  }

  /// Removes and returns the unsent signals.
  mutating func drainSignals() -> [FakeSignal] {
    defer { pending.removeAll(keepingCapacity: true) }
    return pending
  }

  /// Removes all objects and unsent signals, for a daemon that has died.
  mutating func clear() {
    objects.removeAll()
    pending.removeAll()
  }

  // MARK: - Reading the tree

  package func property(_ path: DBusObjectPath, _ interface: String, _ name: String) -> DBusValue? {
    objects[path]?[interface]?[name]
  }

  /// The paths below a path, sorted.
  func descendants(of path: DBusObjectPath) -> [DBusObjectPath] {
    objects.keys.filter { $0.text.hasPrefix(path.text + "/") }.sorted { $0.text < $1.text }
  }

  /// The answer of `GetManagedObjects`: `a{oa{sa{sv}}}`.
  func managedObjects() -> DBusValue {
    let entries = objects.map { (DBusValue.objectPath($0.key), Self.encode(interfaces: $0.value)) }
    return .dictionary(
      key: .objectPath, value: Self.interfacesType, Dictionary(entries) { $1 })
  }

  /// Returns the answer of `Introspect`: interfaces and child nodes, enough for tools that walk a tree.
  func introspection(_ path: DBusObjectPath) -> String? {
    let prefix = path == .root ? "/" : path.text + "/"
    let children = Set(
      objects.keys.filter { $0.text.hasPrefix(prefix) }.map { object in
        object.text.dropFirst(prefix.utf8.count).prefix { $0 != "/" }
      })
    guard objects[path] != nil || !children.isEmpty else { return nil }
    let interfaces = objects[path, default: [:]].keys.sorted() + (path == .root ? [FakeNames.objectManager] : [])
    return "<node>" + interfaces.map { "<interface name=\"\($0)\"/>" }.joined()
      + children.sorted().map { "<node name=\"\($0)\"/>" }.joined() + "</node>"
  }

  // MARK: - Encoding

  private static let interfacesType = DBusType.dictionary(.string, .dictionary(.string, .variant))

  static func encode(properties: Properties) -> DBusValue {
    let entries = properties.map { (DBusValue.string($0.key), DBusValue.variant($0.value)) }
    return .dictionary(key: .string, value: .variant, Dictionary(entries) { $1 })
  }

  static func encode(interfaces: [String: Properties]) -> DBusValue {
    let entries = interfaces.map { (DBusValue.string($0.key), encode(properties: $0.value)) }
    return .dictionary(key: .string, value: .dictionary(.string, .variant), Dictionary(entries) { $1 })
  }
}
