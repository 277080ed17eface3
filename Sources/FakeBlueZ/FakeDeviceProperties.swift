import DBus
import GATT
import TachogramCore

/// The properties of a device and of the objects below it, as exported by bluetoothd (BlueZ 5.66).
enum FakeDeviceProperties {
  /// Returns the interfaces of a device's object. If it was discovered, they include the data of an advertisement received at
  /// `signal`, in dBm.
  static func interfaces(
    _ device: FakeDevice, _ strap: FakeStrap, heardAt signal: Int16?
  ) -> [String: FakeObjectTree.Properties] {
    var properties: FakeObjectTree.Properties = [
      "Address": .string(device.address.description),
      "AddressType": .string(device.address.kind == .public ? "public" : "random"),
      "Alias": .string(
        strap.name.isEmpty ? String(device.address.description.map { $0 == ":" ? "-" : $0 }) : strap.name),
      "Appearance": .uint16(strap.appearance),
      "Paired": .bool(device.isBonded), "Bonded": .bool(device.isBonded), "Trusted": .bool(false),
      "Blocked": .bool(false), "LegacyPairing": .bool(false),
      "Connected": .bool(false), "ServicesResolved": .bool(false),
      "UUIDs": uuids(Set(strap.advertisedServices.map { FakeUUID($0) })),
      "Adapter": .objectPath(FakeNames.adapter(device.adapter)),
    ]
    if !strap.name.isEmpty { properties["Name"] = .string(strap.name) }
    if let signal { properties.merge(heard(strap, at: signal)) { $1 } }
    return [FakeNames.introspectable: [:], FakeNames.properties: [:], FakeNames.device: properties]
  }

  /// Returns the properties of an advertisement received at a level in dBm.
  static func heard(_ strap: FakeStrap, at signal: Int16) -> FakeObjectTree.Properties {
    var properties: FakeObjectTree.Properties = ["RSSI": .int16(signal), "AdvertisingFlags": .bytes([0x06])]
    if let power = strap.transmitPower { properties["TxPower"] = .int16(power) }
    if !strap.manufacturerData.isEmpty {
      let entries = strap.manufacturerData.map { (DBusValue.uint16($0.key), DBusValue.variant(.bytes($0.value))) }
      properties["ManufacturerData"] = .dictionary(key: .uint16, value: .variant, Dictionary(entries) { $1 })
    }
    if !strap.serviceData.isEmpty {
      let entries = strap.serviceData.map { (FakeNames.uuid($0.key), DBusValue.bytes($0.value)) }
      properties["ServiceData"] = .properties(Dictionary(entries) { $1 })
    }
    return properties
  }

  static func uuids(_ services: Set<FakeUUID>) -> DBusValue {
    .array(of: .string, services.map(\.text).sorted().map { .string($0) })
  }

  static func interfaces(_ service: FakeService, of device: DBusObjectPath) -> [String: FakeObjectTree.Properties] {
    [
      FakeNames.introspectable: [:], FakeNames.properties: [:],
      FakeNames.service: [
        "UUID": .string(service.uuid.text), "Device": .objectPath(device), "Primary": .bool(true),
        "Includes": .array(of: .objectPath, []),
      ],
    ]
  }

  static func interfaces(
    _ subscription: FakeSubscription, of service: DBusObjectPath, mtu: UInt16
  ) -> [String: FakeObjectTree.Properties] {
    var properties = subscription.properties
    let characteristic = subscription.characteristic
    properties["UUID"] = .string(characteristic.uuid.text)
    properties["Service"] = .objectPath(service)
    properties["Flags"] = .array(of: .string, characteristic.flags.map { .string($0) })
    properties["MTU"] = .uint16(mtu)
    return [FakeNames.introspectable: [:], FakeNames.properties: [:], FakeNames.characteristic: properties]
  }

  static func interfaces(
    descriptor uuid: UInt16, of characteristic: DBusObjectPath
  ) -> [String: FakeObjectTree.Properties] {
    [
      FakeNames.introspectable: [:], FakeNames.properties: [:],
      FakeNames.descriptor: [
        "UUID": .string(FakeNames.uuid(uuid)), "Characteristic": .objectPath(characteristic),
      ],
    ]
  }
}
