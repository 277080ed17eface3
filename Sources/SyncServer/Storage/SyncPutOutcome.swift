import Sync

/// The result of putting objects into a storage.
package struct SyncPutOutcome: Hashable, Sendable {
  /// The results of the first objects, of which the last one may be a conflict.
  package var results: [StorePutResult] = []
  /// Whether the next object is beyond the quota.
  package var isFull = false
  /// Whether an object was stored.
  package var hasChanged: Bool { results.contains(.stored) }

  package init() {}
}
