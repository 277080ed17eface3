/// Whether an adapter can be used.
package enum AdapterCondition: Hashable, Sendable {
  /// Says whether rfkill keeps an adapter off, by its name (hci0): daemons before 5.67 do not report it.
  package typealias Blocked = @Sendable (_ adapter: String) -> Bool

  case missing
  case off
  /// Off, and kept so by rfkill.
  case blocked
  case ready
}
