/// The state of synchronisation.
public enum SyncStatus: Hashable, Sendable {
  /// No changes are pending.
  case idle
  /// Synchronisation is in progress.
  case syncing
  /// The last synchronisation exchanged all changes.
  case success
  /// The last synchronisation failed; the changes are still pending.
  case failed(CloudKitError)
}
