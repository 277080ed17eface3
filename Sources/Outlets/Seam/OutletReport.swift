/// What an outlet reports about itself.
package enum OutletReport: Hashable, Sendable {
  /// The other system receives.
  case working
  /// The other system receives, but something does not work. The text says what and what to do.
  case restricted(String)
  /// The other system does not receive, and is tried again. The text says why and what to do, without secrets.
  case failing(String)
  /// The outlet cannot work with its configuration, and has ended.
  case ended(String)
  /// A person asks, in the other system, that a strap be recorded or not.
  case recording(strap: Int, isWanted: Bool)
}
