import DBus
import TachogramCore

/// Discovery as in BlueZ 5.66 (`src/adapter.c`): clients start and stop it, adapters receive straps, and devices that were only
/// discovered are removed.
enum FakeDiscovery {
  /// The smallest change of a level, in dB, that a discovery without a filter reports.
  private static let noise = 8

  // MARK: - The clients

  static func setFilter(
    _ world: inout FakeWorld, _ index: Int, client: String, _ filter: FakeDiscoveryFilter
  ) throws(FakeBlueZError) {
    guard let adapter = world.adapters[index], adapter.isPowered else { throw .notReady }
    world.adapters[index]?.discoverers.set(filter, for: client)
    if adapter.discoverers.contains(client) { hearAll(&world, on: index) }
  }

  static func start(_ world: inout FakeWorld, _ index: Int, client: String) throws(FakeBlueZError) {
    guard let adapter = world.adapters[index], adapter.isPowered else { throw .notReady }
    if adapter.discoverers.contains(client) { throw .busy }
    world.adapters[index]?.discoverers.start(client)
    world.tree.set(adapter.path, FakeNames.adapter, ["Discovering": .bool(true)])
    hearAll(&world, on: index)
  }

  static func stop(_ world: inout FakeWorld, _ index: Int, client: String) throws(FakeBlueZError) {
    guard let adapter = world.adapters[index], adapter.isPowered else { throw .notReady }
    guard adapter.discoverers.contains(client) else { throw .failed("No discovery started") }
    world.adapters[index]?.discoverers.stop(client)
    endIfUnwanted(&world, index)
  }

  /// Ends all discoveries of an adapter, and forgets the filters of its clients.
  static func stopAll(_ world: inout FakeWorld, _ index: Int) {
    world.adapters[index]?.discoverers.removeAll()
    endIfUnwanted(&world, index)
  }

  /// Ends the discoveries of a client that left the bus.
  static func clientVanished(_ world: inout FakeWorld, _ client: String) {
    for index in world.adapters.keys where world.adapters[index]?.discoverers.leave(client) == true {
      endIfUnwanted(&world, index)
    }
  }

  /// Ends the discovery of an adapter that has no discovering clients left, and removes the levels of its devices.
  private static func endIfUnwanted(_ world: inout FakeWorld, _ index: Int) {
    guard let adapter = world.adapters[index], adapter.discoverers.isEmpty else { return }
    for device in world.devices.values where device.adapter == index {
      world.tree.invalidate(device.path, FakeNames.device, ["RSSI", "TxPower"])
    }
    world.tree.set(adapter.path, FakeNames.adapter, ["Discovering": .bool(false)])
  }

  // MARK: - Advertisements

  /// Sends one advertisement of a strap, received at the strap's own level.
  static func advertise(_ world: inout FakeWorld, _ strap: FakeStrap) {
    world.air[strap.address, default: FakeAir(strap)].strap = strap
    world.air[strap.address]?.isInRange = true
    for index in world.adapters.keys.sorted() { hear(&world, strap.address, on: index) }
  }

  /// Advances the time: straps in range advertise every `interval`, each time at another level, and devices that were only
  /// discovered are removed when no advertisement of theirs was received for `lifetime`.
  static func pass(_ world: inout FakeWorld, _ span: Duration, interval: Duration, lifetime: Duration?) {
    let end = world.time + span
    while world.lastTurn + interval <= end {
      world.lastTurn += interval
      world.time = world.lastTurn
      for address in world.addressesOnAir {
        guard world.air[address]?.isInRange == true, world.linkedDevice(address) == nil,
          let signal = world.air[address]?.advertise()
        else { continue }
        for index in world.adapters.keys.sorted() { hear(&world, address, on: index, at: signal) }
      }
      expire(&world, after: lifetime)
    }
    world.time = end
    expire(&world, after: lifetime)
  }

  private static func expire(_ world: inout FakeWorld, after lifetime: Duration?) {
    guard let lifetime else { return }
    for device in world.devices.values
    where device.isTemporary && device.phase == .idle && world.time - device.lastHeard >= lifetime {
      world.removeDevice(device.path)
    }
  }

  /// Receives one advertisement of every strap on the air.
  static func hearAll(_ world: inout FakeWorld, on index: Int) {
    for address in world.addressesOnAir { hear(&world, address, on: index) }
  }

  /// Receives an advertisement of a strap at a level in dBm, by default the strap's own. Has no effect if the adapter does not
  /// listen, or if the strap does not advertise because it is linked or out of range.
  static func hear(
    _ world: inout FakeWorld, _ address: BluetoothAddress, on index: Int, at level: Int16? = nil
  ) {
    guard world.isUp, let adapter = world.adapters[index], adapter.isPowered, let air = world.air[address],
      air.isInRange, world.linkedDevice(address) == nil
    else { return }
    let signal = level ?? air.strap.signal
    let isMonitored = adapter.monitors(air.strap)
    guard isMonitored || adapter.discoverers.hear(air.strap, at: signal) else { return }
    let known = world.devices.values.first { $0.address == address && $0.adapter == index }
    let path = known?.path ?? FakeNames.device(address, adapter: index)
    if known != nil {
      update(&world, path, air.strap, signal, adapter)
    } else {
      let device = FakeDevice(path: path, adapter: index, address: address)
      world.devices[path] = device
      world.tree.add(path, FakeDeviceProperties.interfaces(device, air.strap, heardAt: signal))
    }
    world.devices[path]?.lastHeard = world.time
    if isMonitored { FakeMonitoring.found(&world, index, air.strap, path) }
  }

  /// Updates a known device from another advertisement. The level is reported each time if a filter is set, otherwise if it has
  /// changed by at least the noise. Data is reported each time with `DuplicateData`, otherwise if it has changed. A controller
  /// that does not report repeats passes changed data to monitors only.
  private static func update(
    _ world: inout FakeWorld, _ path: DBusObjectPath, _ strap: FakeStrap, _ signal: Int16, _ adapter: FakeAdapter
  ) {
    var changed = FakeDeviceProperties.heard(strap, at: signal)
    var reported: FakeObjectTree.Properties = [:]
    let before = world.tree.objects[path]?[FakeNames.device] ?? [:]
    let data = ["ManufacturerData", "ServiceData"]
    if adapter.discoverers.isFiltered {
      reported["RSSI"] = changed.removeValue(forKey: "RSSI")
    } else if case .int16(let last)? = before["RSSI"], abs(Int(last) - Int(signal)) < noise {
      changed["RSSI"] = nil
    }
    if adapter.discoverers.wantDuplicates {
      for name in data { reported[name] = changed.removeValue(forKey: name) }
    } else if !adapter.passesRepeatsOn && !adapter.monitors(strap) && before["RSSI"] != nil {
      for name in data where before[name] != nil { changed[name] = nil }
    }
    world.tree.set(path, FakeNames.device, changed)
    if !reported.isEmpty { world.tree.announce(path, FakeNames.device, reported) }
  }
}
