/// What synchronisation does.
public enum SyncStatus: Hashable, Sendable {
  /// Nothing is waiting.
  case idle
  /// It is at work.
  case syncing
  /// All was exchanged.
  case success
  /// It did not go; what is to be exchanged waits.
  case failed(CloudKitError)
}
