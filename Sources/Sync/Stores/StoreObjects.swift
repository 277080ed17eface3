/// Objects of a part of a log in a store.
package struct StoreObjects: Hashable, Sendable {
  /// The objects in ascending order of their sequences.
  package let objects: [StoredChunk]
  /// Whether the store has no object of the part after the last of these.
  package let isWhole: Bool

  package init(objects: [StoredChunk], isWhole: Bool) {
    self.objects = objects
    self.isWhole = isWhole
  }
}
