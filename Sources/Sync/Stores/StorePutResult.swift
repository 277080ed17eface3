/// The result of putting an object into a store.
package enum StorePutResult: Hashable, Sendable {
  case stored
  /// The store has the same object. A station that did not learn of its first attempt tries again.
  case unchanged
  /// The store has another object with this key, which is not replaced.
  case conflict(existing: [UInt8])
}
