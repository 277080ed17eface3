import TachogramCore

/// An adapter as the daemon shows it.
package struct BlueZAdapter: Hashable, Sendable {
  package var path: String
  package var address: BluetoothAddress
  package var alias: String
  package var isPowered: Bool
  package var isDiscovering: Bool
  /// `PowerState`, which daemons from 5.67 on have: "off-blocked" while rfkill keeps it off.
  package var powerState: String?
  /// What it can be in Low Energy links, such as "central"; `nil` where the daemon does not report it.
  package var roles: Set<String>?
  /// The types of advertisement monitors that it supports; none where the daemon does not offer them.
  package var monitorTypes: Set<String>

  /// The type of monitors that hear any of several patterns.
  static let orPatterns = "or_patterns"

  /// Whether it can listen for straps without sending anything.
  package var hearsPassively: Bool { monitorTypes.contains(Self.orPatterns) }

  /// Whether it can have links with straps; `nil` when that is not known.
  package var hasLowEnergy: Bool? { roles.map { $0.contains { $0.hasPrefix("central") } } }

  /// Whether it can be used, as far as the daemon reports.
  package var condition: AdapterCondition { condition(nil) }

  /// Whether it can be used. Where the daemon does not report blocks, `isBlocked` is asked.
  package func condition(_ isBlocked: AdapterCondition.Blocked?) -> AdapterCondition {
    if isPowered { return .ready }
    if let powerState { return powerState == "off-blocked" ? .blocked : .off }
    guard let isBlocked, let name = BlueZPath(path)?.adapter else { return .off }
    return isBlocked(name) ? .blocked : .off
  }
}
