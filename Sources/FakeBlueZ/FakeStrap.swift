import GATT
import TachogramCore
import TachogramTestKit

/// A strap on the fake radio: its advertisements, services and pairing. Its address identifies it.
package struct FakeStrap: Hashable, Sendable {
  /// The kind of pairing. If one side can neither show nor type, Just Works is used instead.
  package enum Pairing: Hashable, Sendable {
    /// No call to the agent.
    case justWorks
    /// The strap shows this number. The agent must return it from `RequestPasskey`.
    case passkeyShownByStrap(UInt32)
    /// The number displayed by the agent (`DisplayPasskey`) is typed into the strap, correctly or not.
    case passkeyTypedIntoStrap(correctly: Bool)
    /// Both show the same number: `RequestConfirmation`.
    case confirmation(UInt32)
    /// The strap refuses to pair.
    case refused
  }

  /// A field of an advertisement (Core Specification Supplement, Part A).
  struct Field: Hashable, Sendable {
    let type: UInt8
    let data: [UInt8]
  }

  package var address: BluetoothAddress
  package var name: String
  /// Signal strength of its advertisements, in dBm.
  package var signal: Int16 = -60
  /// Transmit power that it advertises, in dBm.
  package var transmitPower: Int16?
  /// Manufacturer-specific data that it advertises, by company identifier.
  package var manufacturerData: [UInt16: [UInt8]] = [:]
  /// Service data that it advertises, by 16-bit UUID.
  package var serviceData: [UInt16: [UInt8]] = [:]
  /// The 16-bit service UUIDs that it advertises.
  package var advertisedServices: [UInt16] = [GATTUUID.heartRateService]
  /// GAP appearance; 833 is a heart-rate belt.
  package var appearance: UInt16 = 833
  package var pairing: Pairing = .justWorks
  /// Whether only bonded centrals may subscribe.
  package var requiresBond = false
  /// The ATT MTU of its links, in bytes.
  package var mtu: UInt16 = 517
  /// The services of the strap, with handles assigned by `FakeService.numbered`.
  package var services: [FakeService]
  /// The measurement service before the strap is brought on the air, or `nil` without one.
  package private(set) var measurements: SimulatedMeasurements?

  /// A strap with the usual services; `number` makes the address (`D0:5A:00:00:00:01` … , static random) and the name.
  package init(number: UInt8 = 1, battery: UInt8 = 90) {
    self.init(
      address: BluetoothAddress(value: 0xD05A_0000_0000 + UInt64(number), kind: .random), name: "Fake HR \(number)",
      battery: battery)
  }

  /// A strap with the usual services.
  package init(address: BluetoothAddress, name: String, battery: UInt8 = 90) {
    self.address = address
    self.name = name
    services = FakeService.numbered([
      .genericAttribute,
      .deviceInformation(manufacturer: "Tachogram", model: "FAKE-1", firmware: "1.0.0"),
      .heartRate(location: 1),
      .battery(battery),
    ])
  }

  /// A strap at another address.
  init(_ strap: FakeStrap, at address: BluetoothAddress) {
    self = strap
    self.address = address
  }

  /// The fields of its advertisements. The name is sent only in scan responses.
  var fields: [Field] {
    [Field(type: 0x01, data: [0x06])]
      + (advertisedServices.isEmpty
        ? []
        : [Field(type: 0x03, data: advertisedServices.flatMap(CaptureWrapping.littleEndian))])
      + serviceData.sorted { $0.key < $1.key }.map { Field(type: 0x16, data: CaptureWrapping.littleEndian($0) + $1) }
      + manufacturerData.sorted { $0.key < $1.key }.map {
        Field(type: 0xFF, data: CaptureWrapping.littleEndian($0) + $1)
      }
  }

  /// Makes the strap require a bond and show this number when it is paired.
  package mutating func secure(passkey: UInt32) {
    pairing = .passkeyShownByStrap(passkey)
    requiresBond = true
  }

  /// Adds a measurement service, after the services that the strap has.
  package mutating func add(_ measurements: SimulatedMeasurements) {
    self.measurements = measurements
    services = FakeService.numbered(services + [.measurements])
  }

  /// Changes the value that a read of a characteristic returns.
  package mutating func setValue(_ value: [UInt8], of uuid: UInt16) {
    for service in services.indices {
      for index in services[service].characteristics.indices
      where services[service].characteristics[index].uuid == FakeUUID(uuid) {
        services[service].characteristics[index].value = value
      }
    }
  }
}
