/// What a commit does with what derives from the entries that it stores.
enum DerivedRows: Sendable {
  /// It is stored with them.
  case stored
  /// It waits in memory for a later commit; the stored session is noted to lack it.
  case kept
  /// It is dropped, for want of space, and derived from the stored ledger when there is some.
  case dropped
}
