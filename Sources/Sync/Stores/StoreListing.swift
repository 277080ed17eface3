/// A part of a log in a store.
package struct StoreListing: Hashable, Sendable {
  /// The sequences of the objects that are there, ascending.
  package let sequences: [UInt64]
  /// Whether the store has no object after the last of these.
  package let isWhole: Bool

  package init(sequences: [UInt64], isWhole: Bool) {
    self.sequences = sequences
    self.isWhole = isWhole
  }
}
