import GATT
import TachogramCore

/// The known properties of a followed strap.
struct StrapProfile {
  /// The selector of the strap. After a device was observed, this is its address, which a bond may change to the identity
  /// address.
  private(set) var selector: StrapSelector
  private(set) var identity: StrapIdentity?
  private var signal: Int16?

  init(selector: StrapSelector) {
    self.selector = selector
    if case .address(let address) = selector { identity = StrapIdentity(address: address) }
  }

  /// Updates the profile from a device. Returns whether the identity has changed.
  mutating func observe(_ device: BlueZDevice) -> Bool {
    var identity = identity ?? StrapIdentity(address: device.address)
    identity.address = device.address
    if let name = device.name { identity.characteristics[GATTUUID.deviceName] = Array(name.utf8) }
    if let battery = device.battery { identity.characteristics[GATTUUID.batteryLevel] = [battery] }
    selector = .address(device.address)
    defer { self.identity = identity }
    return identity != self.identity
  }

  /// Records a value that was read. Returns whether it is new.
  mutating func learn(_ uuid: UInt16, _ value: [UInt8]) -> Bool {
    guard identity != nil, identity?.characteristics[uuid] != value else { return false }
    identity?.characteristics[uuid] = value
    return true
  }

  /// Returns the signal strength if it has changed, or `nil`.
  mutating func newSignal(_ value: Int16?) -> Int8? {
    guard let value, value != signal else { return nil }
    signal = value
    return Int8(clamping: value)
  }
}
