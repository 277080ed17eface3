import TachogramCore

/// An adapter as reported by the daemon.
package struct BlueZAdapter: Hashable, Sendable {
  package var path: String
  package var address: BluetoothAddress
  package var alias: String
  package var isPowered: Bool
  package var isDiscovering: Bool
  /// The property `PowerState`, reported by daemons from 5.67 on: "off-blocked" while rfkill blocks the adapter.
  package var powerState: String?
  /// The supported roles in Low Energy links, such as "central", or `nil` if the daemon does not report them.
  package var roles: Set<String>?
  /// The supported types of advertisement monitors. Empty if the daemon does not offer monitors.
  package var monitorTypes: Set<String>

  /// The type of monitors that match any of several patterns.
  static let orPatterns = "or_patterns"

  /// Whether the adapter can listen for straps without transmitting.
  package var hearsPassively: Bool { monitorTypes.contains(Self.orPatterns) }

  /// Whether the adapter can connect to straps, or `nil` if that is not known.
  package var hasLowEnergy: Bool? { roles.map { $0.contains { $0.hasPrefix("central") } } }

  /// The condition of the adapter as reported by the daemon.
  package var condition: AdapterCondition { condition(nil) }

  /// Returns the condition of the adapter. Calls `isBlocked` if the daemon does not report blocks.
  package func condition(_ isBlocked: AdapterCondition.Blocked?) -> AdapterCondition {
    if isPowered { return .ready }
    if let powerState { return powerState == "off-blocked" ? .blocked : .off }
    guard let isBlocked, let name = BlueZPath(path)?.adapter else { return .off }
    return isBlocked(name) ? .blocked : .off
  }
}
