/// What the movement of a night is.
package enum MovementForm: Hashable, Sendable {
  /// The amount of movement in each stretch, as a strap measures it.
  case amounts
  /// Amounts that a Gaussian of 50 s has smoothed, as `count_feature` of the nights of the training.
  case smoothed
}
