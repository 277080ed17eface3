/// Reads logs and member records of a space from a store.
package struct StoreReader: Sendable {
  /// The number of bytes that are read at once, if not another one is given.
  package static let usualBatch = 1 << 20
  /// The number of bytes that are opened and decoded at once. Decoded entries have forty times the length of their chunks.
  private static let part = 192 << 10
  /// The maximum number of chunks at the end of a log that are read first, and how many of them are read at once.
  private static let newestCount: UInt64 = 1024
  /// The number of chunks of a log whose ends are read first.
  private static let longCount: UInt64 = 256
  private static let step: UInt64 = 64
  /// The maximum number of chunks of a removed station that are named.
  private static let mostNamed = 1000

  private let store: any SyncStoreProtocol
  private let space: SpaceID
  private let batch: Int

  package init(_ store: any SyncStoreProtocol, space: SpaceID, batch: Int = Self.usualBatch) {
    self.store = store
    self.space = space
    self.batch = batch
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
        let read = try await store.objects(of: log, in: next...range.upperBound, byteLimit: batch)
        try await receive(read.objects, isWhole: false, of: station, into: &context, body)
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
      let read = try await store.objects(of: log, in: (after + 1)...end, byteLimit: batch)
      // Only a first batch is compared with all that the receiver knows.
      let isWhole = read.isWhole && isFirst
      try await receive(read.objects, isWhole: isWhole, of: station, into: &context, body)
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

  /// Receives both ends of a long log of which the receiver has nothing. What is newest is at the end of the log of a station that
  /// synchronised all the time, and at the beginning if it sealed all it had at once. Returns whether it did: a short log is
  /// received as a whole anyway.
  package func receiveNewest<Context: SpaceReceiving>(
    from station: StationID, into context: inout Context, _ body: (Received, inout Context) async throws -> Void
  ) async throws -> Bool {
    let log = StoreLog(space: space, station: station, kind: .chunks)
    let end = context.receiver.membership.removed[station]?.lastSequence ?? .max
    var last = min(try await store.lastSequence(of: log), end)
    guard last > Self.longCount else { return false }
    let beginning = try await store.objects(of: log, in: 1...last, byteLimit: batch)
    try await receive(beginning.objects, isWhole: false, of: station, into: &context, body)
    var (newest, size): ([StoredChunk], Int) = ([], 0)
    let least = max(last - min(last, Self.newestCount), beginning.objects.map(\.sequence).max() ?? 0) + 1
    while last >= least, size < batch {
      let first = last >= least + Self.step ? last - Self.step + 1 : least
      var (part, next): ([StoredChunk], UInt64) = ([], first)
      while next <= last {
        let read = try await store.objects(of: log, in: next...last, byteLimit: batch)
        part += read.objects
        guard !read.isWhole, let reached = read.objects.map(\.sequence).max(), reached >= next else { break }
        next = reached + 1
      }
      newest = part + newest
      size += part.reduce(0) { $0 + $1.bytes.count }
      last = first - 1
    }
    try await receive(newest, isWhole: false, of: station, into: &context, body)
    return true
  }

  /// Receives chunks in parts that need little memory when they are opened and decoded.
  private func receive<Context: SpaceReceiving>(
    _ objects: [StoredChunk], isWhole: Bool, of station: StationID, into context: inout Context,
    _ body: (Received, inout Context) async throws -> Void
  ) async throws {
    let listed = Set(objects.map(\.sequence))
    var (rest, isFirst) = (objects[...], true)
    repeat {
      var (count, size) = (0, 0)
      for object in rest where size < Self.part {
        (count, size) = (count + 1, size + object.bytes.count)
      }
      let received = context.receiver.receive(
        Array(rest.prefix(count)), of: station, isWhole: isWhole && isFirst, listed: isFirst ? listed : nil)
      try await body(received, &context)
      (rest, isFirst) = (rest.dropFirst(count), false)
    } while !rest.isEmpty
  }

  /// Returns the member records in the logs of all stations. Damaged ones are left out.
  package func memberRecords() async throws(StoreFailure) -> [MemberRecord] {
    var places: [StationID: UInt64] = [:]
    return try await memberRecords(after: &places).records
  }

  /// Returns the member records after the last places that were read of the logs, which are moved; whether the store has none at all;
  /// and why some could not be read.
  package func memberRecords(
    after places: inout [StationID: UInt64]
  ) async throws(StoreFailure) -> (records: [MemberRecord], isEmpty: Bool, failure: StoreFailure?) {
    var (records, failure): ([MemberRecord], StoreFailure?) = ([], nil)
    let logs = try await store.logs(of: space).filter { $0.kind == .members }
    for log in logs {
      var after = places[log.station] ?? 0
      while true {
        let read: StoreObjects
        do throws(StoreFailure) {
          read = try await store.objects(of: log, after: after, byteLimit: batch)
        } catch {
          // A file that cannot be read does not keep those of others away.
          guard case .file = error else { throw error }
          failure = error
          break
        }
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
    return (records, logs.isEmpty, failure)
  }
}
