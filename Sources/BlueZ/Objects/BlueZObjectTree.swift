import DBus
import TachogramCore

/// The objects of the daemon, as reported by its ObjectManager and its signals: raw properties by path and interface, and typed
/// views. Properties of an unexpected type count as absent, so that they never cause a failure.
package struct BlueZObjectTree: Sendable {
  package typealias Properties = [String: DBusValue]

  private static let shown: Set<String> = [
    BlueZName.Interface.adapter, BlueZName.Interface.device, BlueZName.Interface.service,
    BlueZName.Interface.characteristic, BlueZName.Interface.battery,
    BlueZName.Interface.monitorManager,
  ]

  private var objects: [String: [String: Properties]] = [:]

  package init() {}

  // MARK: - Taking what the daemon says

  /// Applies a signal. Returns `false` if the signal does not concern an object.
  /// - Throws: `DBusError.unexpected` for a signal that differs from the documented form.
  package mutating func apply(_ signal: DBusSignal) throws(DBusError) -> Bool {
    guard let change = try BlueZMessage.change(signal) else { return false }
    apply(change)
    return true
  }

  mutating func apply(_ change: BlueZMessage.Change) {
    switch change {
    case .added(let path, let interfaces): add(path, interfaces)
    case .removed(let path, let interfaces): remove(path, interfaces)
    case .changed(let path, let interface, let changed, let invalidated):
      self.change(path, interface, changed, invalidated: invalidated)
    }
  }

  /// Adds interfaces to an object.
  package mutating func add(_ path: String, _ interfaces: [String: Properties]) {
    for (interface, properties) in interfaces where Self.shown.contains(interface) {
      objects[path, default: [:]][interface] = properties
    }
  }

  /// Removes interfaces from an object.
  package mutating func remove(_ path: String, _ interfaces: [String]) {
    for interface in interfaces { objects[path]?[interface] = nil }
    if objects[path]?.isEmpty == true { objects[path] = nil }
  }

  /// Changes properties of a known object. Removes the signal strength of a device when its connection ends, because a strength
  /// from before is no longer valid.
  package mutating func change(_ path: String, _ interface: String, _ changed: Properties, invalidated: [String]) {
    guard let properties = objects[path]?[interface] else { return }
    if flag(properties, BlueZName.Property.connected), changed[BlueZName.Property.connected] == .bool(false) {
      forgetSignal(of: path)
    }
    for (name, value) in changed { objects[path]?[interface]?[name] = value }
    for name in invalidated { objects[path]?[interface]?[name] = nil }
  }

  /// Removes the signal strength of a device, as the daemon does at the end of a discovery.
  package mutating func forgetSignal(of device: String) {
    objects[device]?[BlueZName.Interface.device]?[BlueZName.Property.signal] = nil
  }

  /// Removes the signal strengths of all devices of an adapter.
  package mutating func forgetSignals(of adapter: String) {
    for path in objects.keys where path.hasPrefix(adapter + "/") { forgetSignal(of: path) }
  }

  // MARK: - Views

  /// The adapters, sorted by path.
  package var adapters: [BlueZAdapter] {
    objects.compactMap { adapter($0.key) }.sorted { $0.path < $1.path }
  }

  /// The devices of an adapter, or of all adapters, sorted by path.
  package func devices(of adapter: String? = nil) -> [BlueZDevice] {
    objects.keys.filter { path in adapter.map { path.hasPrefix($0 + "/") } ?? true }.compactMap(device)
      .sorted { $0.path < $1.path }
  }

  /// The adapter at a path.
  package func adapter(_ path: String) -> BlueZAdapter? {
    guard let properties = objects[path]?[BlueZName.Interface.adapter],
      let address = Self.address(properties)
    else { return nil }
    return BlueZAdapter(
      path: path, address: address, alias: text(properties, BlueZName.Property.alias) ?? "",
      isPowered: flag(properties, BlueZName.Property.powered),
      isDiscovering: flag(properties, BlueZName.Property.discovering),
      powerState: text(properties, BlueZName.Property.powerState),
      roles: properties[BlueZName.Property.roles].map { Set(Self.texts($0)) },
      monitorTypes: Set(
        Self.texts(objects[path]?[BlueZName.Interface.monitorManager]?[BlueZName.Property.monitorTypes])))
  }

  /// The device at a path.
  package func device(_ path: String) -> BlueZDevice? {
    guard let properties = objects[path]?[BlueZName.Interface.device], let address = Self.address(properties) else {
      return nil
    }
    return BlueZDevice(
      path: path, address: address, name: text(properties, BlueZName.Property.name),
      isConnected: flag(properties, BlueZName.Property.connected),
      isPaired: flag(properties, BlueZName.Property.paired),
      servicesResolved: flag(properties, BlueZName.Property.servicesResolved),
      signal: properties[BlueZName.Property.signal].flatMap { try? $0.asInt16() },
      uuids: Set(Self.texts(properties[BlueZName.Property.uuids]).map { $0.lowercased() }),
      manufacturerData: Self.manufacturerData(properties[BlueZName.Property.manufacturerData]),
      battery: objects[path]?[BlueZName.Interface.battery]?[BlueZName.Property.percentage]
        .flatMap { try? $0.asByte() })
  }

  /// Returns the device of an adapter with the given address. The path of the device may contain another address: that under
  /// which it was first received, before a bond revealed the identity address.
  package func device(at address: BluetoothAddress, of adapter: String) -> BlueZDevice? {
    let wanted = DBusValue.string(address.description)
    return objects.first { path, interfaces in
      interfaces[BlueZName.Interface.device]?[BlueZName.Property.address] == wanted && path.hasPrefix(adapter + "/")
    }.flatMap { device($0.key) }
  }

  /// The characteristics of a device, sorted by path.
  package func characteristics(of device: String) -> [BlueZCharacteristic] {
    objects.compactMap { path, interfaces -> BlueZCharacteristic? in
      guard path.hasPrefix(device + "/"), let properties = interfaces[BlueZName.Interface.characteristic],
        let uuid = text(properties, BlueZName.Property.uuid)
      else { return nil }
      return BlueZCharacteristic(
        path: path, uuid: uuid.lowercased(), flags: Set(Self.texts(properties[BlueZName.Property.flags])))
    }.sorted { $0.path < $1.path }
  }

  /// Whether any client of the daemon is subscribed to the signals of a characteristic.
  package func isNotifying(_ characteristic: String) -> Bool {
    objects[characteristic]?[BlueZName.Interface.characteristic].map { flag($0, BlueZName.Property.notifying) } ?? false
  }

  /// The ATT_MTU of the link of a characteristic in bytes, or `nil` if the daemon does not report it.
  package func mtu(of characteristic: String) -> UInt16? {
    objects[characteristic]?[BlueZName.Interface.characteristic]?[BlueZName.Property.mtu]
      .flatMap { try? $0.asUInt16() }
  }

  /// The characteristic of a device with a UUID.
  package func characteristic(_ uuid: String, of device: String) -> BlueZCharacteristic? {
    characteristics(of: device).first { $0.uuid == uuid }
  }

  // MARK: - Reading properties

  private static func address(_ properties: Properties) -> BluetoothAddress? {
    guard let value = properties[BlueZName.Property.address], let text = try? value.asString() else { return nil }
    let type = properties[BlueZName.Property.addressType].flatMap { try? $0.asString() }
    return BluetoothAddress(text: text, kind: type == "random" ? .random : .public)
  }

  private func text(_ properties: Properties, _ name: String) -> String? {
    properties[name].flatMap { try? $0.asString() }
  }

  private func flag(_ properties: Properties, _ name: String) -> Bool {
    properties[name].flatMap { try? $0.asBool() } ?? false
  }

  private static func texts(_ value: DBusValue?) -> [String] {
    guard case .array(_, let elements)? = value else { return [] }
    return elements.compactMap { try? $0.asString() }
  }

  private static func manufacturerData(_ value: DBusValue?) -> [UInt16: [UInt8]] {
    guard case .dictionary(_, _, let entries)? = value else { return [:] }
    var data: [UInt16: [UInt8]] = [:]
    for (key, value) in entries {
      guard let company = try? key.asUInt16() else { continue }
      let bytes: DBusValue = if case .variant(let inner) = value { inner } else { value }
      if let bytes = try? bytes.asBytes() { data[company] = bytes }
    }
    return data
  }
}
