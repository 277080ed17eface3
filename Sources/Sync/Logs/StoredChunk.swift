/// What a store returns for one place of a log. Nothing of it is verified.
package struct StoredChunk: Hashable, Sendable {
  /// The place in the log under which the store lists it.
  package let sequence: UInt64
  /// An encoded envelope, with or without its body.
  package let bytes: [UInt8]

  package init(sequence: UInt64, bytes: [UInt8]) {
    self.sequence = sequence
    self.bytes = bytes
  }
}
