/// The supported or current settings of an adapter, in the 32-bit encoding of the management interface (BlueZ
/// `doc/mgmt-api.txt`, "Read Controller Information Command").
package struct AdapterSettings: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let powered = AdapterSettings(rawValue: 1 << 0)
  package static let connectable = AdapterSettings(rawValue: 1 << 1)
  package static let discoverable = AdapterSettings(rawValue: 1 << 3)
  package static let bondable = AdapterSettings(rawValue: 1 << 4)
  package static let classic = AdapterSettings(rawValue: 1 << 7)
  package static let lowEnergy = AdapterSettings(rawValue: 1 << 9)
  package static let advertising = AdapterSettings(rawValue: 1 << 10)
  package static let secureConnections = AdapterSettings(rawValue: 1 << 11)
  package static let privacy = AdapterSettings(rawValue: 1 << 13)
}
