/// How a commit handles the rows derived from the entries that it stores.
enum DerivedRows: Sendable {
  /// The rows are stored with the entries.
  case stored
  /// The rows are kept in memory for a later commit. The stored session is marked as lacking them.
  case kept
  /// The rows are dropped for lack of space, and derived from the stored ledger when there is space again.
  case dropped
}
