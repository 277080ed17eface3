/// The sealed chunks of a station's own log that it keeps until all readers have acknowledged them, so that it can repair a
/// store.
package struct SealedRetention: Sendable {
  private var envelopes: [UInt64: Envelope] = [:]
  private var acknowledged: [StationID: UInt64] = [:]

  package init() {}

  /// The kept chunks, in the order of the log.
  package var kept: [Envelope] { envelopes.values.sorted { $0.header.sequence < $1.header.sequence } }

  /// Keeps a chunk.
  package mutating func keep(_ envelope: Envelope) { envelopes[envelope.header.sequence] = envelope }

  /// Stores that `reader` has a head of the own log in a chunk of its own.
  package mutating func acknowledge(_ sequence: UInt64, by reader: StationID) {
    acknowledged[reader] = max(acknowledged[reader] ?? 0, sequence)
  }

  /// Releases chunks that all other readers have acknowledged. Returns their sequences. Nothing is released while there are no
  /// other readers.
  package mutating func release(readers: Set<StationID>) -> [UInt64] {
    guard let least = readers.map({ acknowledged[$0] ?? 0 }).min() else { return [] }
    let released = envelopes.keys.filter { $0 <= least }.sorted()
    for sequence in released { envelopes[sequence] = nil }
    return released
  }

  /// Returns the kept chunks among some places, and the places of chunks that are no longer kept.
  package func repair(_ places: SequenceRanges) -> (envelopes: [Envelope], lost: SequenceRanges) {
    let found = kept.filter { places.contains($0.header.sequence) }
    return (found, places.subtracting(SequenceRanges(numbers: found.map(\.header.sequence))))
  }

  /// Deletes the content of a kept chunk. Its header stays.
  package mutating func deleteBody(_ sequence: UInt64) { envelopes[sequence] = envelopes[sequence]?.withoutBody }
}
