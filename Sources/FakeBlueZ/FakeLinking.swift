import DBus
import GATT
import TachogramCore

/// Connecting, resolving services and bonding in single steps. The caller waits between them.
enum FakeLinking {
  /// Starts an attempt to connect. Returns its number, or `nil` if the device is connected already.
  static func begin(_ world: inout FakeWorld, _ path: DBusObjectPath) throws(FakeBlueZError) -> Int? {
    guard let device = world.devices[path] else { throw .unknownObject }
    guard world.adapters[device.adapter]?.isPowered == true else { throw .adapterNotPowered }
    switch device.phase {
    case .connected: return nil
    case .connecting: throw .alreadyConnecting
    case .idle: break
    }
    world.devices[path]?.isTemporary = false
    world.devices[path]?.phase = .connecting
    world.devices[path]?.generation += 1
    return device.generation + 1
  }

  /// Whether an attempt can proceed: the strap is in range and not linked. Throws if the attempt has ended.
  static func isReady(
    _ world: FakeWorld, _ path: DBusObjectPath, _ generation: Int
  ) throws(FakeBlueZError) -> Bool {
    guard let device = world.devices[path] else { throw .connectionAborted }
    guard device.phase == .connecting, device.generation == generation else { throw .connectionCanceled }
    return world.air[device.address]?.isInRange == true && world.linkedDevice(device.address) == nil
  }

  /// Links a device if its strap is available. Returns whether it did.
  static func link(
    _ world: inout FakeWorld, _ path: DBusObjectPath, _ generation: Int
  ) throws(FakeBlueZError) -> Bool {
    guard try isReady(world, path, generation), let device = world.devices[path] else { return false }
    world.devices[path]?.phase = .connected
    if world.air[device.address]?.connectsUnsaid == true {
      world.tree.note(path, FakeNames.device, ["Connected": .bool(true)])
    } else {
      world.tree.set(path, FakeNames.device, ["Connected": .bool(true)])
    }
    return true
  }

  /// Whether the strap has lost the key of its bond. Then its link comes up, and the strap ends it as soon as it is encrypted.
  static func hasLostBond(_ world: FakeWorld, _ path: DBusObjectPath) -> Bool {
    guard let device = world.devices[path] else { return false }
    return device.isBonded && world.air[device.address]?.isBonded != true
  }

  /// Abandons an attempt.
  static func abandon(_ world: inout FakeWorld, _ path: DBusObjectPath, _ generation: Int) {
    guard let device = world.devices[path], device.phase == .connecting, device.generation == generation else { return }
    world.unlink(path)
  }

  /// Whether the services of this link may be resolved now.
  static func mayResolve(_ world: FakeWorld, _ path: DBusObjectPath) -> Bool {
    guard let device = world.devices[path] else { return true }
    return world.air[device.address]?.holdsServices != true
  }

  /// Resolves the services of a link: exports objects first, then restores the subscriptions kept from the last link, then sets
  /// `ServicesResolved`.
  static func resolve(_ world: inout FakeWorld, _ path: DBusObjectPath, _ generation: Int) {
    guard let device = world.devices[path], device.isConnected, device.generation == generation, !device.isResolved,
      let air = world.air[device.address]
    else { return }
    if hasLostBond(world, path) { return world.unlink(path) }
    export(&world, device, air)
    world.devices[path]?.isResolved = true
    let isAllowed = !air.strap.requiresBond || device.isBonded
    for (characteristic, var subscription) in world.devices[path]?.characteristics ?? [:] {
      subscription.linkResolved(isAllowed: isAllowed)
      world.devices[path]?.characteristics[characteristic] = subscription
      var properties = subscription.properties
      properties["MTU"] = .uint16(air.strap.mtu)
      world.tree.set(characteristic, FakeNames.characteristic, properties)
    }
    let offered = Set(air.services.map(\.uuid)).union(air.strap.advertisedServices.map { FakeUUID($0) })
    world.tree.set(path, FakeNames.device, ["UUIDs": FakeDeviceProperties.uuids(offered)])
    if let level = FakeGATT.value(air, FakeUUID(GATTUUID.batteryLevel))?.first {
      world.tree.add(path, [FakeNames.battery: ["Percentage": .byte(level)]])
    }
    world.tree.set(path, FakeNames.device, ["ServicesResolved": .bool(true)])
    if world.devices[path]?.owesPaired == true {
      world.devices[path]?.owesPaired = false
      world.tree.announce(path, FakeNames.device, ["Paired": .bool(true)])
    }
  }

  /// Exports the services that the daemon discovers and removes those that no longer exist. Services known from an earlier link
  /// stay unchanged.
  private static func export(_ world: inout FakeWorld, _ device: FakeDevice, _ air: FakeAir) {
    let wanted = Set(air.services.map { FakeNames.service($0.handle, of: device.path) })
    let known = Set(
      world.tree.descendants(of: device.path).filter { world.tree.objects[$0]?[FakeNames.service] != nil })
    for path in known.subtracting(wanted) {
      for object in world.tree.descendants(of: path).reversed() {
        world.devices[device.path]?.characteristics[object]?.release()
        world.devices[device.path]?.characteristics[object] = nil
        world.tree.remove(object)
      }
      world.tree.remove(path)
    }
    for service in air.services {
      let path = FakeNames.service(service.handle, of: device.path)
      if known.contains(path) { continue }
      world.tree.add(path, FakeDeviceProperties.interfaces(service, of: device.path))
      for characteristic in service.characteristics {
        let object = FakeNames.characteristic(characteristic.handle, of: path)
        let subscription = FakeSubscription(characteristic)
        world.devices[device.path]?.characteristics[object] = subscription
        world.tree.add(object, FakeDeviceProperties.interfaces(subscription, of: path, mtu: air.strap.mtu))
        for (index, uuid) in characteristic.descriptors.enumerated() {
          world.tree.add(
            FakeNames.descriptor(characteristic.descriptorHandle(index), of: object),
            FakeDeviceProperties.interfaces(descriptor: uuid, of: object))
        }
      }
    }
  }

  // MARK: - Bonding

  /// Starts pairing.
  static func beginPairing(_ world: inout FakeWorld, _ path: DBusObjectPath) throws(FakeBlueZError) {
    guard let device = world.devices[path] else { throw .unknownObject }
    if device.isPairing { throw .inProgress }
    if device.isBonded { throw .alreadyExists }
    world.devices[path]?.isTemporary = false
    world.devices[path]?.isPairing = true
  }

  /// Ends pairing. On success both sides store the bond, and `Paired` is reported once services are resolved. On failure the
  /// link ends and the device becomes temporary again, unless it is trusted.
  static func endPairing(_ world: inout FakeWorld, _ path: DBusObjectPath, succeeded: Bool) {
    guard let device = world.devices[path] else { return }
    guard succeeded else {
      // A link that has ended has already ended the pairing.
      if device.isPairing { world.unlink(path) }
      world.devices[path]?.isPairing = false
      world.devices[path]?.isTemporary = world.tree.property(path, FakeNames.device, "Trusted") != .bool(true)
      world.devices[path]?.lastHeard = world.time
      return
    }
    world.devices[path]?.isPairing = false
    world.devices[path]?.isBonded = true
    world.air[device.address]?.isBonded = true
    world.tree.set(path, FakeNames.device, ["Bonded": .bool(true)])
    if device.isResolved {
      world.tree.set(path, FakeNames.device, ["Paired": .bool(true)])
    } else {
      world.devices[path]?.owesPaired = true
      world.tree.note(path, FakeNames.device, ["Paired": .bool(true)])
    }
  }
}
