import DBus
import GATT
import TachogramCore
import TachogramTestKit

/// The state of the fake radio and the fake daemon: adapters, straps on the air, devices, agents, objects. It never waits or
/// uses the bus; the signals of a change accumulate in the tree.
package struct FakeWorld: Sendable {
  /// The objects on the bus.
  package internal(set) var tree = FakeObjectTree()
  /// Adapters by number: `hci0` is 0.
  package internal(set) var adapters: [Int: FakeAdapter] = [:]
  /// Straps by address.
  package internal(set) var air: [BluetoothAddress: FakeAir] = [:]
  /// Devices by object path.
  package internal(set) var devices: [DBusObjectPath: FakeDevice] = [:]
  /// The registered agents.
  package internal(set) var agents: [FakeAgent] = []
  /// The unique names of the clients that requested to be the default agent. The last one is the default.
  private var defaultAgents: [String] = []
  /// The number of calls of each method, by name.
  package internal(set) var calls: [String: Int] = [:]
  /// Values written to characteristics, in order.
  package internal(set) var writes: [[UInt8]] = []
  /// The calls to clients that are sent after the signals.
  var pendingCalls: [FakeClientCall] = []
  /// The number of values that a client received.
  package internal(set) var delivered = 0
  /// Whether the daemon runs.
  package private(set) var isUp = false
  /// How much time has passed on the air.
  package internal(set) var time: Duration = .zero
  /// The time of the last advertisements at the interval.
  var lastTurn: Duration = .zero

  package init() {}

  // MARK: - Asking

  /// Returns the linked device of a strap on any adapter.
  package func linkedDevice(_ address: BluetoothAddress) -> FakeDevice? {
    devices.values.first { $0.address == address && $0.isConnected }
  }

  /// Whether a client is subscribed to a characteristic of a strap, by `StartNotify` or `AcquireNotify`.
  package func isSubscribed(_ strap: FakeStrap, to uuid: FakeUUID = .heartRateMeasurement) -> Bool {
    guard let device = linkedDevice(strap.address), device.isResolved else { return false }
    return device.characteristics.values.contains { $0.characteristic.uuid == uuid && $0.isActive }
  }

  /// Whether a strap is linked.
  package func isConnected(_ strap: FakeStrap) -> Bool {
    linkedDevice(strap.address) != nil
  }

  /// The measurement streams that run on a strap, whether a client receives them or not.
  package func runningMeasurements(of strap: FakeStrap) -> Set<PolarMeasurementType> {
    Set(air[strap.address]?.measurements?.running.keys.map(\.self) ?? [])
  }

  /// The addresses of all straps, in order.
  var addressesOnAir: [BluetoothAddress] {
    air.keys.sorted { $0.value < $1.value }
  }

  /// Whether a client discovers.
  package var isDiscovering: Bool {
    adapters.values.contains { !$0.discoverers.isEmpty }
  }

  /// Whether a client monitors advertisements.
  package var isMonitored: Bool {
    adapters.values.contains { $0.applications.contains { !$0.monitors.isEmpty } }
  }

  // MARK: - Starting and ending

  /// Starts the daemon with the adapters and the remembered devices.
  mutating func daemonStarts() {
    isUp = true
    tree.add(FakeNames.daemon, [FakeNames.introspectable: [:], FakeNames.agentManager: [:]])
    for adapter in adapters.values.sorted(by: { $0.index < $1.index }) { tree.add(adapter.path, adapter.interfaces) }
    for device in devices.values {
      guard let strap = air[device.address]?.strap else { continue }
      tree.add(device.path, FakeDeviceProperties.interfaces(device, strap, heardAt: nil))
    }
  }

  /// Ends the daemon as on SIGTERM: switches adapters off, then removes all objects from the bus. The adapters are switched on
  /// again when it starts.
  mutating func daemonEnds() {
    guard isUp else { return }
    forgetTemporaryDevices()
    for index in adapters.keys.sorted() where adapters[index]?.isPowered == true {
      try? setPowered(index, false)
      adapters[index]?.isPowered = true
    }
    for path in tree.objects.keys.sorted(by: { $0.text > $1.text }) { tree.remove(path) }
  }

  /// Handles the death of the daemon: removes links, sockets, objects and clients at once, without a signal.
  mutating func daemonDies(remembersDevices: Bool) {
    isUp = false
    tree.clear()
    agents.removeAll()
    defaultAgents.removeAll()
    for index in adapters.keys {
      adapters[index]?.discoverers.removeAll()
      adapters[index]?.applications.removeAll()
    }
    pendingCalls.removeAll()
    for (path, device) in devices {
      if device.isConnected { air[device.address]?.measurements?.linkEnded() }
      for var subscription in device.characteristics.values { subscription.release() }
      if remembersDevices && !device.isTemporary {
        var kept = FakeDevice(path: path, adapter: device.adapter, address: device.address)
        kept.isTemporary = false
        kept.isBonded = device.isBonded
        kept.generation = device.generation + 1
        devices[path] = kept
      } else {
        devices[path] = nil
      }
    }
  }

  // MARK: - Adapters

  /// Adds an adapter with the first free number. Returns the number.
  mutating func addAdapter(_ address: BluetoothAddress, _ configuration: FakeBlueZConfiguration) -> Int {
    let index = (0...).first { adapters[$0] == nil } ?? adapters.count
    var adapter = FakeAdapter(index: index, address: address)
    adapter.monitorTypes = configuration.monitorTypes
    adapter.tellsPowerState = configuration.tellsPowerState
    adapter.hasHearingMonitors = configuration.hasHearingMonitors
    adapter.passesRepeatsOn = configuration.passesRepeatsOn
    adapters[index] = adapter
    if isUp { tree.add(adapter.path, adapter.interfaces) }
    return index
  }

  /// Removes an adapter and its devices.
  mutating func removeAdapter(_ index: Int) {
    guard let adapter = adapters[index] else { return }
    for device in devices.values where device.adapter == index { removeDevice(device.path) }
    adapters[index] = nil
    tree.remove(adapter.path)
  }

  /// Switches an adapter on or off. Switching off ends links and discovery.
  mutating func setPowered(_ index: Int, _ isOn: Bool) throws(FakeBlueZError) {
    guard let adapter = adapters[index] else { throw .unknownObject }
    if isOn && adapter.isBlocked { throw .blocked }
    guard adapter.isPowered != isOn else { return }
    if !isOn {
      for device in devices.values where device.adapter == index { unlink(device.path) }
      FakeDiscovery.stopAll(&self, index)
    }
    adapters[index]?.isPowered = isOn
    publishPower(index)
  }

  private mutating func publishPower(_ index: Int) {
    guard let adapter = adapters[index] else { return }
    tree.set(adapter.path, FakeNames.adapter, adapter.power)
  }

  /// Blocks or unblocks an adapter as rfkill does. Once it is unblocked, bluetoothd switches it on again.
  mutating func setBlocked(_ index: Int, _ isBlocked: Bool) throws(FakeBlueZError) {
    if isBlocked { try setPowered(index, false) }
    adapters[index]?.isBlocked = isBlocked
    publishPower(index)
    if !isBlocked { try setPowered(index, true) }
  }

  // MARK: - Straps

  /// Makes a strap advertise a heart rate as Polar straps do, with a counter of such advertisements.
  mutating func broadcast(_ strap: FakeStrap, heartRate: UInt8, hasContact: Bool) {
    guard var changed = air[strap.address]?.strap else { return }
    let count = air[strap.address]?.broadcasts ?? 0
    air[strap.address]?.broadcasts = count + 1
    let status = UInt8(count & 7) << 2 | 1 << 5 | (hasContact ? 1 << 1 : 0)
    changed.manufacturerData[PolarBroadcast.company] = [status, 0, heartRate, heartRate]
    FakeDiscovery.advertise(&self, changed)
  }

  /// Changes the battery level of a strap, in percent.
  mutating func setBattery(_ address: BluetoothAddress, _ percent: UInt8) {
    air[address]?.strap.setValue([percent], of: GATTUUID.batteryLevel)
    guard let device = linkedDevice(address) else { return }
    tree.set(device.path, FakeNames.battery, ["Percentage": .byte(percent)])
  }

  /// Removes and returns the pending calls to clients.
  mutating func drainCalls() -> [FakeClientCall] {
    defer { pendingCalls.removeAll() }
    return pendingCalls
  }

  /// Removes the devices that were only discovered and are not in use.
  mutating func forgetTemporaryDevices() {
    for device in devices.values where device.isTemporary && device.phase == .idle { removeDevice(device.path) }
  }

  // MARK: - Devices

  /// Removes a device with all objects below it. Its link and the bond on this side end.
  mutating func removeDevice(_ path: DBusObjectPath) {
    unlink(path)
    guard devices.removeValue(forKey: path) != nil else { return }
    for object in tree.descendants(of: path).reversed() { tree.remove(object) }
    tree.remove(path)
  }

  /// Reveals the identity address of a strap, as when a bond supplies the key of its resolvable addresses. Its device has that
  /// address from then on and keeps its path.
  mutating func revealIdentity(of address: BluetoothAddress, as identity: BluetoothAddress) {
    guard var known = air.removeValue(forKey: address) else { return }
    known.strap.address = identity
    air[identity] = known
    for path in devices.values.filter({ $0.address == address }).map(\.path) {
      devices[path]?.address = identity
      let type = identity.kind == .public ? "public" : "random"
      tree.set(
        path, FakeNames.device, ["Address": .string(identity.description), "AddressType": .string(type)])
    }
  }

  /// Ends a link or an attempt: closes sockets, clears resolved services, and disconnects. The strap then advertises again.
  mutating func unlink(_ path: DBusObjectPath) {
    guard var device = devices[path], device.phase != .idle else { return }
    let wasConnected = device.isConnected
    device.phase = .idle
    device.generation += 1
    device.isResolved = false
    device.isPairing = false
    if wasConnected { air[device.address]?.measurements?.linkEnded() }
    for (characteristic, var subscription) in device.characteristics {
      subscription.linkEnded()
      device.characteristics[characteristic] = subscription
      tree.set(characteristic, FakeNames.characteristic, subscription.properties)
      tree.invalidate(characteristic, FakeNames.characteristic, ["MTU"])
    }
    devices[path] = device
    tree.set(path, FakeNames.device, ["ServicesResolved": .bool(false)])
    tree.remove(path, FakeNames.battery)
    tree.set(path, FakeNames.device, ["Connected": .bool(false)])
    if wasConnected { FakeDiscovery.hear(&self, device.address, on: device.adapter) }
  }

  /// Removes a client that left the bus, with its discovery, monitors, subscriptions and agent.
  mutating func clientVanished(_ client: String) {
    FakeDiscovery.clientVanished(&self, client)
    for index in adapters.keys { adapters[index]?.applications.removeAll { $0.owner == client } }
    for (path, device) in devices {
      for (characteristic, var subscription) in device.characteristics {
        subscription.clientVanished(client)
        devices[path]?.characteristics[characteristic] = subscription
        tree.set(characteristic, FakeNames.characteristic, subscription.properties)
      }
    }
    agents.removeAll { $0.owner == client }
    defaultAgents.removeAll { $0 == client }
  }

  // MARK: - Agents

  mutating func register(_ agent: FakeAgent) throws(FakeBlueZError) {
    if agents.contains(where: { $0.owner == agent.owner }) { throw .alreadyExists }
    guard FakeAgent.capabilities.contains(agent.capability) else { throw .invalidArguments }
    agents.append(agent)
  }

  /// Returns the agent of a client, or else the default one.
  func agent(for client: String) -> FakeAgent? {
    agents.first { $0.owner == client } ?? agents.first { $0.owner == defaultAgents.last }
  }

  mutating func makeDefault(client: String) throws(FakeBlueZError) {
    guard agents.contains(where: { $0.owner == client }) else { throw .doesNotExist }
    defaultAgents.removeAll { $0 == client }
    defaultAgents.append(client)
  }

  mutating func unregister(client: String, path: DBusObjectPath) throws(FakeBlueZError) {
    guard let index = agents.firstIndex(where: { $0.owner == client && $0.path == path }) else { throw .doesNotExist }
    agents.remove(at: index)
    defaultAgents.removeAll { $0 == client }
  }
}
