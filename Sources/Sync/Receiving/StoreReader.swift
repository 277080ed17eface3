/// Reads logs and member records of a space from a store.
package struct StoreReader: Sendable {
  /// The number of bytes that are read at once.
  private static let batch = 1 << 20
  /// The maximum number of chunks of a removed station that are named.
  private static let mostNamed = 1000

  private let store: any SyncStoreProtocol
  private let space: SpaceID

  package init(_ store: any SyncStoreProtocol, space: SpaceID) {
    self.store = store
    self.space = space
  }

  /// Receives the chunks of a station that the store has and the receiver has not, in batches. `body` may change the receiver and
  /// what contains it.
  package func receive<Context: SpaceReceiving>(
    from station: StationID, into context: inout Context, _ body: (Received, inout Context) async throws -> Void
  ) async throws {
    let log = StoreLog(space: space, station: station, kind: .chunks)
    for range in context.receiver.wanted(of: station).ranges {
      var next = range.lowerBound
      while true {
        let read = try await store.objects(of: log, in: next...range.upperBound, byteLimit: Self.batch)
        let received = context.receiver.receive(read.objects, of: station, isWhole: false)
        try await body(received, &context)
        guard !read.isWhole, let last = read.objects.map(\.sequence).max(), last >= next, last < range.upperBound else {
          break
        }
        next = last + 1
      }
    }
    let end = context.receiver.membership.removed[station]?.lastSequence ?? .max
    var after = context.receiver.logs[station]?.listingStart ?? 0
    var isFirst = true
    while after < end {
      let read = try await store.objects(of: log, in: (after + 1)...end, byteLimit: Self.batch)
      // Only a first batch is compared with all that the receiver knows.
      let received = context.receiver.receive(read.objects, of: station, isWhole: read.isWhole && isFirst)
      try await body(received, &context)
      guard !read.isWhole, let last = read.objects.map(\.sequence).max(), last > after else { break }
      (after, isFirst) = (last, false)
    }
    guard end < .max else { return }
    // What a removed station goes on writing is named, but not read.
    let more = try await store.list(log, after: end, limit: Self.mostNamed).sequences
    let accepted = context.receiver.logs[station]?.acceptedLoss ?? SequenceRanges()
    let places = SequenceRanges(numbers: more).subtracting(accepted)
    if !places.isEmpty {
      try await body(Received(findings: [LogFinding(.removedStation, of: station, places)]), &context)
    }
  }

  /// Returns the member records in the logs of all stations. Damaged ones are left out.
  package func memberRecords() async throws(StoreFailure) -> [MemberRecord] {
    var places: [StationID: UInt64] = [:]
    return try await memberRecords(after: &places).records
  }

  /// Returns the member records after the last places that were read of the logs, which are moved, and whether the store has none at
  /// all.
  package func memberRecords(
    after places: inout [StationID: UInt64]
  ) async throws(StoreFailure) -> (records: [MemberRecord], isEmpty: Bool) {
    var records: [MemberRecord] = []
    let logs = try await store.logs(of: space).filter { $0.kind == .members }
    for log in logs {
      var after = places[log.station] ?? 0
      while true {
        let read = try await store.objects(of: log, after: after, byteLimit: Self.batch)
        if let last = read.objects.map(\.sequence).max() { places[log.station] = last }
        for object in read.objects {
          if let record = try? MemberRecord(bytes: object.bytes), !records.contains(record) { records.append(record) }
        }
        guard !read.isWhole, let last = read.objects.map(\.sequence).max(), last > after,
          records.count <= Membership.mostRecords
        else { break }
        after = last
      }
    }
    return (records, logs.isEmpty)
  }
}
