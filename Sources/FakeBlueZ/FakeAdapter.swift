import DBus
import TachogramCore

/// An adapter: what the kernel keeps of it, and what the daemon adds.
package struct FakeAdapter: Sendable {
  package let index: Int
  package let address: BluetoothAddress
  package var isPowered = true
  /// Blocked by rfkill.
  package var isBlocked = false
  /// Who discovers, and what each is after.
  package internal(set) var discoverers = FakeDiscoverers()
  /// Whether it reports its `PowerState`.
  package var tellsPowerState = false
  /// The types of advertisement monitors that it supports; `nil`: it knows no monitors.
  package var monitorTypes: [String]?
  /// Whether advertisements come through to monitors.
  package var hasHearingMonitors = true
  /// Whether an advertisement of a strap that was heard already is passed on by the controller with whatever has changed
  /// in it.
  package var passesRepeatsOn = false
  /// Monitors that clients have registered.
  package internal(set) var applications: [FakeMonitorApplication] = []

  package init(index: Int, address: BluetoothAddress) {
    self.index = index
    self.address = address
  }

  var path: DBusObjectPath { FakeNames.adapter(index) }

  /// What shows whether it is on.
  var power: FakeObjectTree.Properties {
    var power: FakeObjectTree.Properties = ["Powered": .bool(isPowered)]
    if tellsPowerState { power["PowerState"] = .string(isPowered ? "on" : isBlocked ? "off-blocked" : "off") }
    return power
  }

  /// Whether somebody monitors straps like this one.
  func monitors(_ strap: FakeStrap) -> Bool {
    hasHearingMonitors && applications.contains { $0.monitors.contains { $0.matches(strap) } }
  }

  /// Its object.
  var interfaces: [String: FakeObjectTree.Properties] {
    var interfaces: [String: FakeObjectTree.Properties] = [
      FakeNames.introspectable: [:], FakeNames.properties: [:],
      FakeNames.adapter: [
        "Address": .string(address.description),
        "AddressType": .string(address.kind == .public ? "public" : "random"),
        "Name": .string("fake"), "Alias": .string("fake"), "Class": .uint32(0),
        "Discoverable": .bool(false), "DiscoverableTimeout": .uint32(180),
        "Pairable": .bool(true), "PairableTimeout": .uint32(0), "Discovering": .bool(!discoverers.isEmpty),
        "UUIDs": .array(of: .string, [0x1800, 0x1801].map { .string(FakeNames.uuid($0)) }),
        "Modalias": .string("usb:v1D6Bp0246d0542"),
        "Roles": .array(of: .string, [.string("central"), .string("peripheral")]),
      ],
    ]
    interfaces[FakeNames.adapter]?.merge(power) { $1 }
    if let monitorTypes {
      interfaces[FakeNames.monitorManager] = [
        "SupportedMonitorTypes": .strings(monitorTypes), "SupportedFeatures": .strings([]),
      ]
    }
    return interfaces
  }
}
