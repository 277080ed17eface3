/// The inputs of the machine.
package enum LinkInput: Hashable, Sendable {
  /// The current surroundings, changed or unchanged.
  case surroundings(LinkSurroundings)
  /// The step with this number ended: `nil` when it succeeded.
  case ended(number: Int, fault: LinkFault?)
  /// A notification was received while the link was not `live`.
  case notification
  /// The socket or the daemon ended the subscription.
  case subscriptionEnded
  /// The time of `deadline` has been reached.
  case tick
}
