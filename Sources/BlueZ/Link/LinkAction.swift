/// An action requested by the machine.
package enum LinkAction: Hashable, Sendable {
  /// Begins a step and abandons a running one. The end of the step is reported with `number`.
  case begin(LinkStep, number: Int)
  /// Abandons the running step.
  case abandon
  /// Stops receiving notifications. Notifications that arrive later do not belong to any link.
  case unsubscribe
  /// Starts or stops the search for the strap.
  case search(Bool)
}
