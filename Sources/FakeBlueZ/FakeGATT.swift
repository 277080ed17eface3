import DBus
import GATT
import TachogramCore

/// What `GattCharacteristic1` and `GattDescriptor1` do (BlueZ 5.66, `src/gatt-client.c`).
enum FakeGATT {
  /// Where a value went.
  enum Delivery {
    /// To nobody: no link, no subscription, a silent strap, or lost before the socket was there.
    case nowhere
    /// Into the signals of the tree.
    case signalled
    /// It is to be written to this socket.
    case socket(FakeNotifySocket)
  }

  /// The value of a characteristic of a strap.
  static func value(_ air: FakeAir, _ uuid: UInt16) -> [UInt8]? {
    air.services.lazy.flatMap(\.characteristics).first { $0.uuid == uuid }?.value
  }

  /// The device and the characteristic at a path; throws `unknownObject` when there is none.
  private static func find(
    _ world: FakeWorld, _ path: DBusObjectPath
  ) throws(FakeBlueZError) -> (device: FakeDevice, subscription: FakeSubscription, air: FakeAir) {
    for device in world.devices.values {
      if let subscription = device.characteristics[path], let air = world.air[device.address] {
        return (device, subscription, air)
      }
    }
    throw .unknownObject
  }

  // MARK: - Reading and writing

  static func read(_ world: inout FakeWorld, _ path: DBusObjectPath) throws(FakeBlueZError) -> [UInt8] {
    let (device, subscription, air) = try find(world, path)
    guard device.isResolved else { throw .failed("Not connected") }
    let characteristic = subscription.characteristic
    guard characteristic.flags.contains("read"), let value = value(air, characteristic.uuid) else {
      throw .attribute(0x02)
    }
    world.tree.announce(path, FakeNames.characteristic, ["Value": .bytes(value)])
    return value
  }

  /// Writes, in the way that the client names or else the characteristic allows. A command goes out whatever the strap
  /// makes of it, which nobody learns.
  static func write(
    _ world: inout FakeWorld, _ path: DBusObjectPath, _ value: [UInt8], way: String?
  ) throws(FakeBlueZError) {
    let (device, subscription, _) = try find(world, path)
    guard device.isResolved else { throw .failed("Not connected") }
    let characteristic = subscription.characteristic
    let isCommand: Bool
    switch way?.lowercased() {
    case "command": isCommand = true
    case "request", "reliable": isCommand = false
    case nil where characteristic.flags.contains("write"): isCommand = false
    case nil where characteristic.flags.contains("write-without-response"): isCommand = true
    default: throw .notSupported
    }
    do {
      try accept(characteristic, value)
      world.writes.append(value)
    } catch {
      if !isCommand { throw error }
    }
  }

  /// What a strap says to a value: the heart-rate control point takes the one byte 0x01 only (Heart Rate Service 1.0, 3.3).
  private static func accept(
    _ characteristic: FakeService.Characteristic, _ value: [UInt8]
  ) throws(FakeBlueZError) {
    guard characteristic.flags.contains(where: { $0.hasPrefix("write") }) else { throw .attribute(0x03) }
    guard characteristic.uuid == GATTUUID.heartRateControlPoint else { return }
    guard value.count == 1 else { throw .attribute(0x0D) }
    guard value == [1] else { throw .attribute(0x80) }
  }

  /// What a descriptor answers: for the client configuration, whether the daemon has subscribed.
  static func readDescriptor(_ world: FakeWorld, _ path: DBusObjectPath) throws(FakeBlueZError) -> [UInt8] {
    guard case .objectPath(let parent) = world.tree.property(path, FakeNames.descriptor, "Characteristic") else {
      throw .unknownObject
    }
    let (device, subscription, _) = try find(world, parent)
    guard device.isResolved else { throw .failed("Not connected") }
    return [subscription.isActive ? 1 : 0, 0]
  }

  // MARK: - Subscribing

  static func startNotify(
    _ world: inout FakeWorld, _ path: DBusObjectPath, client: String
  ) throws(FakeBlueZError) {
    let (device, found, air) = try find(world, path)
    var subscription = found
    try subscription.start(
      client, isConnected: device.isResolved, isAllowed: !air.strap.requiresBond || device.isBonded)
    store(&world, device, path, subscription)
  }

  static func stopNotify(
    _ world: inout FakeWorld, _ path: DBusObjectPath, client: String
  ) throws(FakeBlueZError) {
    let (device, found, _) = try find(world, path)
    var subscription = found
    try subscription.stop(client)
    store(&world, device, path, subscription)
  }

  /// Gives the socket to a client; its MTU, or `nil` when the strap refuses the subscription: bluetoothd 5.66 then
  /// never answers.
  static func acquireNotify(
    _ world: inout FakeWorld, _ path: DBusObjectPath, client: String, _ socket: FakeNotifySocket
  ) throws(FakeBlueZError) -> UInt16? {
    let (device, found, air) = try find(world, path)
    var subscription = found
    guard device.isResolved else { throw .failed("Not connected") }
    try subscription.checkAcquiring()
    let isAllowed = !air.strap.requiresBond || device.isBonded
    subscription.acquire(client, isAllowed ? socket : nil)
    store(&world, device, path, subscription)
    guard isAllowed else { return nil }
    world.air[device.address]?.stillLost = air.firstLost
    world.air[device.address]?.firstLost = 0
    return air.strap.mtu
  }

  /// The client of a socket closed its end.
  static func socketClosed(_ world: inout FakeWorld, _ path: DBusObjectPath, _ socket: FakeNotifySocket) {
    guard let (device, found, _) = try? find(world, path), found.acquired?.socket === socket else { return }
    var subscription = found
    subscription.release()
    store(&world, device, path, subscription)
  }

  private static func store(
    _ world: inout FakeWorld, _ device: FakeDevice, _ path: DBusObjectPath, _ subscription: FakeSubscription
  ) {
    world.devices[device.path]?.characteristics[path] = subscription
    world.tree.set(path, FakeNames.characteristic, subscription.properties)
  }

  // MARK: - Notifying

  /// A strap notifies one value. A value that is signalled is kept as `Value`; one that goes to a socket is not.
  static func deliver(
    _ world: inout FakeWorld, _ address: BluetoothAddress, _ uuid: UInt16, _ value: [UInt8]
  ) -> Delivery {
    guard let air = world.air[address], !air.isSilent, let device = world.linkedDevice(address), device.isResolved,
      let (path, subscription) = device.characteristics.first(where: { $0.value.characteristic.uuid == uuid })
    else { return .nowhere }
    if let socket = subscription.acquired?.socket {
      guard air.stillLost == 0 else {
        world.air[address]?.stillLost -= 1
        return .nowhere
      }
      return .socket(socket)
    }
    guard subscription.isActive else { return .nowhere }
    // Seen with BlueZ 5.66: once for each subscriber, and each of them hears all.
    for _ in 0..<subscription.listeners {
      world.tree.announce(path, FakeNames.characteristic, ["Value": .bytes(value)])
    }
    return .signalled
  }
}
