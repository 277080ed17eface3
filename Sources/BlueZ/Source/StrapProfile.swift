import GATT
import TachogramCore

/// What is known of a wanted strap, as it becomes known.
struct StrapProfile {
  /// Which strap is meant; once one was taken, that one by its address, which a bond may reveal to be another than the one
  /// it was heard under.
  private(set) var selector: StrapSelector
  private(set) var identity: StrapIdentity?
  private var signal: Int16?

  init(selector: StrapSelector) {
    self.selector = selector
    if case .address(let address) = selector { identity = StrapIdentity(address: address) }
  }

  /// Takes the device as the daemon shows it; returns whether anything was new.
  mutating func observe(_ device: BlueZDevice) -> Bool {
    var identity = identity ?? StrapIdentity(address: device.address)
    identity.address = device.address
    if let name = device.name { identity.characteristics[GATTUUID.deviceName] = Array(name.utf8) }
    if let battery = device.battery { identity.characteristics[GATTUUID.batteryLevel] = [battery] }
    selector = .address(device.address)
    defer { self.identity = identity }
    return identity != self.identity
  }

  /// Takes a value that was read; whether it is new.
  mutating func learn(_ uuid: UInt16, _ value: [UInt8]) -> Bool {
    guard identity != nil, identity?.characteristics[uuid] != value else { return false }
    identity?.characteristics[uuid] = value
    return true
  }

  /// The signal strength when it is another than before.
  mutating func newSignal(_ value: Int16?) -> Int8? {
    guard let value, value != signal else { return nil }
    signal = value
    return Int8(clamping: value)
  }
}
