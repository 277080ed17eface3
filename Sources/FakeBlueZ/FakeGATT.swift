import DBus
import GATT
import TachogramCore
import TachogramTestKit

/// The behaviour of `GattCharacteristic1` and `GattDescriptor1` (BlueZ 5.66, `src/gatt-client.c`).
enum FakeGATT {
  /// The destination of a value.
  enum Delivery {
    /// The value was not received: no link, no subscription, a silent strap, or lost before the socket existed.
    case nowhere
    /// The value was added to the signals of the tree.
    case signalled
    /// The value is to be written to this socket.
    case socket(FakeNotifySocket)
  }

  /// The value of a characteristic of a strap.
  static func value(_ air: FakeAir, _ uuid: FakeUUID) -> [UInt8]? {
    air.services.lazy.flatMap(\.characteristics).first { $0.uuid == uuid }?.value
  }

  /// Returns the device and the characteristic at a path. Throws `unknownObject` if there is no such characteristic.
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
    guard characteristic.flags.contains("read"), var value = value(air, characteristic.uuid) else {
      throw .attribute(0x02)
    }
    if characteristic.uuid == .measurementControlPoint, let measurements = air.measurements {
      value = measurements.features
    }
    world.tree.announce(path, FakeNames.characteristic, ["Value": .bytes(value)])
    return value
  }

  /// Writes a value in the way requested by the client, or else in one that the characteristic allows. A command succeeds even
  /// if the strap rejects it.
  static func write(
    _ world: inout FakeWorld, _ path: DBusObjectPath, _ value: [UInt8], way: String?
  ) throws(FakeBlueZError) {
    let (device, subscription, air) = try find(world, path)
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
      let indications = try request(&world, air, subscription, value)
      world.writes.append(value)
      for indication in indications { _ = deliver(&world, device.address, characteristic.uuid, indication) }
    } catch {
      if !isCommand { throw error }
    }
  }

  /// Checks a value as the strap does: the heart-rate control point accepts only the single byte 0x01 (Heart Rate Service 1.0,
  /// 3.3).
  private static func accept(
    _ characteristic: FakeService.Characteristic, _ value: [UInt8]
  ) throws(FakeBlueZError) {
    guard characteristic.flags.contains(where: { $0.hasPrefix("write") }) else { throw .attribute(0x03) }
    guard characteristic.uuid == FakeUUID(GATTUUID.heartRateControlPoint) else { return }
    guard value.count == 1 else { throw .attribute(0x0D) }
    guard value == [1] else { throw .attribute(0x80) }
  }

  /// Passes a value to the measurement service of a strap if it is written to its control point. Returns the indications in
  /// response. They precede the reply to the write, which is the order that clients expect least.
  private static func request(
    _ world: inout FakeWorld, _ air: FakeAir, _ subscription: FakeSubscription, _ value: [UInt8]
  ) throws(FakeBlueZError) -> [[UInt8]] {
    guard subscription.characteristic.uuid == .measurementControlPoint,
      let response = world.air[air.strap.address]?.measurements?.write(
        value, isIndicating: subscription.isActive, mtu: Int(air.strap.mtu))
    else { return [] }
    switch response {
    case .indications(let indications): return indications
    case .error(let code): throw .attribute(code)
    }
  }

  /// Returns the value of a descriptor: for the client configuration, whether the daemon has subscribed.
  static func readDescriptor(_ world: FakeWorld, _ path: DBusObjectPath) throws(FakeBlueZError) -> [UInt8] {
    guard case .objectPath(let parent) = world.tree.property(path, FakeNames.descriptor, "Characteristic") else {
      throw .unknownObject
    }
    let (device, subscription, _) = try find(world, parent)
    guard device.isResolved else { throw .failed("Not connected") }
    let enabled: UInt8 = subscription.characteristic.flags.contains("indicate") ? 2 : 1
    return [subscription.isActive ? enabled : 0, 0]
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

  /// Hands the socket to a client. Returns the MTU, or `nil` if the strap refuses the subscription; bluetoothd 5.66 then never
  /// answers.
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

  /// Handles the closing of a socket by its client.
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

  /// Delivers one value that a strap notifies. A signalled value is stored as `Value`; a value written to a socket is not. Frames
  /// are sent only while their stream runs.
  static func deliver(
    _ world: inout FakeWorld, _ address: BluetoothAddress, _ uuid: FakeUUID, _ value: [UInt8]
  ) -> Delivery {
    guard let air = world.air[address], !air.isSilent, let device = world.linkedDevice(address), device.isResolved,
      let (path, subscription) = device.characteristics.first(where: { $0.value.characteristic.uuid == uuid })
    else { return .nowhere }
    if uuid == .measurementData, air.measurements?.sends(value) == false { return .nowhere }
    if let socket = subscription.acquired?.socket {
      guard air.stillLost == 0 else {
        world.air[address]?.stillLost -= 1
        return .nowhere
      }
      return .socket(socket)
    }
    guard subscription.isActive else { return .nowhere }
    // Observed with BlueZ 5.66: one signal for each subscriber, and each of them receives all signals.
    for _ in 0..<subscription.listeners {
      world.tree.announce(path, FakeNames.characteristic, ["Value": .bytes(value)])
    }
    return .signalled
  }
}
