/// Whether there is an account, or a space of stations, to synchronise with.
public enum CloudKitAccountStatus: Hashable, Sendable, CaseIterable {
  /// The account can be used.
  case available
  /// There is no account.
  case noAccount
  /// Access to the account is restricted.
  case restricted
  /// The account is temporarily unavailable.
  case temporarilyUnavailable
  /// The status is unknown.
  case couldNotDetermine
}
