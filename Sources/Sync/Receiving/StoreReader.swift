/// Reads logs and member records of a space from a store.
package struct StoreReader: Sendable {
  /// The number of objects that are listed at once.
  private static let batch = 256

  private let store: any SyncStoreProtocol
  private let space: SpaceID

  package init(_ store: any SyncStoreProtocol, space: SpaceID) {
    self.store = store
    self.space = space
  }

  /// Receives the chunks of a station that the store has and the receiver has not, in batches.
  package func receive(
    from station: StationID, into receiver: inout SpaceReceiver, _ body: (Received) async throws -> Void
  ) async throws {
    let log = StoreLog(space: space, station: station, kind: .chunks)
    for range in receiver.wanted(of: station).ranges {
      let limit = Int(clamping: min(range.upperBound - range.lowerBound, 65_535) + 1)
      let listing = try await store.list(log, after: range.lowerBound - 1, limit: limit)
      let chunks = try await chunks(listing.sequences.filter(range.contains), of: log)
      try await body(receiver.receive(chunks, of: station, isWhole: false))
    }
    var after = receiver.logs[station]?.listingStart ?? 0
    var isFirst = true
    while true {
      let listing = try await store.list(log, after: after, limit: Self.batch)
      let chunks = try await chunks(listing.sequences, of: log)
      // Only a first batch is compared with all that the receiver knows.
      let received = receiver.receive(chunks, of: station, isWhole: listing.isWhole && isFirst)
      try await body(received)
      guard !listing.isWhole, let last = listing.sequences.max(), last > after else { return }
      (after, isFirst) = (last, false)
    }
  }

  /// Returns the member records in the logs of all stations. Damaged ones are left out.
  package func memberRecords() async throws(StoreFailure) -> [MemberRecord] {
    var records: [MemberRecord] = []
    for log in try await store.logs(of: space) where log.kind == .members {
      var after: UInt64 = 0
      while true {
        let listing = try await store.list(log, after: after, limit: Self.batch)
        for chunk in try await chunks(listing.sequences, of: log) {
          if let record = try? MemberRecord(bytes: chunk.bytes), !records.contains(record) { records.append(record) }
        }
        guard !listing.isWhole, let last = listing.sequences.max(), last > after,
          records.count <= Membership.mostRecords
        else { break }
        after = last
      }
    }
    return records
  }

  private func chunks(_ sequences: [UInt64], of log: StoreLog) async throws(StoreFailure) -> [StoredChunk] {
    var chunks: [StoredChunk] = []
    for sequence in sequences {
      guard let bytes = try await store.get(StoreKey(log: log, sequence: sequence)) else { continue }
      chunks.append(StoredChunk(sequence: sequence, bytes: bytes))
    }
    return chunks
  }
}
