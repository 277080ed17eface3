/// The inputs of the machine.
package enum LinkInput: Hashable, Sendable {
  /// The surroundings are as given, whether they changed or not.
  case surroundings(LinkSurroundings)
  /// The step with this number ended: `nil` when it succeeded.
  case ended(number: Int, fault: LinkFault?)
  /// A notification came while the link was not `live`.
  case notification
  /// The socket or the daemon ended the subscription.
  case subscriptionEnded
  /// The time of `deadline` has come.
  case tick
}
