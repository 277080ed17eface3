/// Whether an adapter can be used.
package enum AdapterCondition: Hashable, Sendable {
  /// Returns whether rfkill blocks an adapter, given by its name (hci0). Daemons before 5.67 do not report this.
  package typealias Blocked = @Sendable (_ adapter: String) -> Bool

  case missing
  case off
  /// Off and blocked by rfkill.
  case blocked
  case ready
}
