/// The limits of all outlets.
package enum OutletLimits {
  /// The longest that an outlet may take to end after its mailbox has ended.
  package static let ending = Duration.milliseconds(1_200)
}
