/// What the machine wants done.
package enum LinkAction: Hashable, Sendable {
  /// Begins a step; one that runs is given up. The number comes back with its end.
  case begin(LinkStep, number: Int)
  /// Gives up the step that runs.
  case abandon
  /// Stops listening to notifications: what arrives from here on belongs to no link.
  case unsubscribe
  /// Whether this link needs discovery.
  case search(Bool)
}
