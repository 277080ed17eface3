import DBus
import TachogramCore

/// The state of an adapter in the kernel and the daemon.
package struct FakeAdapter: Sendable {
  package let index: Int
  package let address: BluetoothAddress
  package var isPowered = true
  /// Whether rfkill blocks the adapter.
  package var isBlocked = false
  /// The clients that discover, with their filters.
  package internal(set) var discoverers = FakeDiscoverers()
  /// Whether the adapter exports its `PowerState`.
  package var tellsPowerState = false
  /// The supported types of advertisement monitors, or `nil` if the adapter does not support monitors.
  package var monitorTypes: [String]?
  /// Whether monitors receive advertisements.
  package var hasHearingMonitors = true
  /// Whether the controller reports repeated advertisements of a strap whose data has changed.
  package var passesRepeatsOn = false
  /// The monitors that clients have registered.
  package internal(set) var applications: [FakeMonitorApplication] = []

  package init(index: Int, address: BluetoothAddress) {
    self.index = index
    self.address = address
  }

  var path: DBusObjectPath { FakeNames.adapter(index) }

  /// The properties that report the power state.
  var power: FakeObjectTree.Properties {
    var power: FakeObjectTree.Properties = ["Powered": .bool(isPowered)]
    if tellsPowerState { power["PowerState"] = .string(isPowered ? "on" : isBlocked ? "off-blocked" : "off") }
    return power
  }

  /// Whether a client monitors straps like `strap`.
  func monitors(_ strap: FakeStrap) -> Bool {
    hasHearingMonitors && applications.contains { $0.monitors.contains { $0.matches(strap) } }
  }

  /// The interfaces of the adapter's object, with their properties.
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
