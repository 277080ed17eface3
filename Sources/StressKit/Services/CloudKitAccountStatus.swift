/// Whether there is an account, or a space of stations, to synchronise with.
public enum CloudKitAccountStatus: Hashable, Sendable, CaseIterable {
  /// It can be used.
  case available
  /// There is none.
  case noAccount
  /// It may not be used.
  case restricted
  /// It cannot be used for the time being.
  case temporarilyUnavailable
  /// That is not known.
  case couldNotDetermine
}
