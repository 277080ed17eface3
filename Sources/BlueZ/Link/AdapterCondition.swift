/// Whether an adapter can be used.
package enum AdapterCondition: Hashable, Sendable {
  case missing
  case off
  /// Off, and kept so by rfkill.
  case blocked
  case ready
}
