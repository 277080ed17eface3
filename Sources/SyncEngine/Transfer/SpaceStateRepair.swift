import Repository
import Sync

extension SpaceState {
  /// What a repair did.
  package struct Repair: Hashable, Sendable {
    /// The chunks that the store lacked, or had damaged, and has again.
    package var sentCount = 0
    /// The chunks that are not kept any more; their contents are sealed again.
    package var lostCount = 0
  }

  /// Compares the store with the own log, and sends what is missing or damaged there. What is not kept any more is sealed again.
  package mutating func repair(_ store: any SyncStoreProtocol) async throws -> Repair {
    var repair = Repair()
    let log = StoreLog(space: space, station: id, kind: .chunks)
    let own = receiver.logs[id] ?? VerifiedLog(station: id)
    var lost: [UInt64] = []
    var next: UInt64 = 1
    while next <= own.last {
      let end = min(own.last, next + 255)
      let kept = Dictionary(
        try outbox.kept(next...end).map { ($0.sequence, $0) }, uniquingKeysWith: { first, _ in first })
      for sequence in next...end where kept[sequence]?.isUploaded ?? true {
        let key = StoreKey(log: log, sequence: sequence)
        let stored = try await store.get(key)
        if let stored, stored.count > EnvelopeHeader.byteCount, own.deletedBodies.contains(sequence) {
          // A store that was restored from a backup has bodies again that were deleted.
          try await store.delete(key, keeping: EnvelopeHeader.byteCount)
          continue
        }
        if let envelope = kept[sequence]?.envelope {
          if stored == envelope { continue }
          // The author may replace an object that is damaged.
          if stored != nil { try await store.delete(key, keeping: 0) }
          _ = try await store.putIfAbsent(envelope, at: key)
          repair.sentCount += 1
        } else if !isWhole(stored, sequence, own) {
          lost.append(sequence)
        }
      }
      next = end + 1
    }
    repair.lostCount = lost.count
    try outbox.sealAgain(lost, editKind: ChunkKind.edit.number)
    // Member records may be missing as well.
    (storedRecords, memberPlaces) = ([], [:])
    try await downloadMembers(from: store)
    try await uploadMembers(to: store)
    return repair
  }

  /// Whether the store has an own chunk, with its body unless that was deleted.
  private func isWhole(_ bytes: [UInt8]?, _ sequence: UInt64, _ own: VerifiedLog) -> Bool {
    guard let bytes, let envelope = try? Envelope(bytes: bytes), envelope.header.digest == own.links[sequence]?.digest
    else { return false }
    guard let body = envelope.body else { return own.deletedBodies.contains(sequence) }
    return envelope.header.matches(body)
  }

  /// Accepts that chunks of a station, or of all others, are lost, and that removed stations went on writing. Returns the number of
  /// lost chunks.
  package mutating func acceptRestored(_ station: StationID?, _ store: any SyncStoreProtocol) async throws -> Int {
    try await checkStore(store)
    var count = 0
    for (id, log) in receiver.logs where id != self.id && station.map({ $0 == id }) ?? true {
      let place = StoreLog(space: space, station: id, kind: .chunks)
      let last = try await store.lastSequence(of: place)
      let lost = log.findings.filter { $0.kind != .forked }.reduce(into: SequenceRanges()) { lost, finding in
        lost = lost.union(finding.sequences)
      }
      count += Int(clamping: lost.count) + Int(clamping: log.last > last ? log.last - last : 0)
      let end = membership.removed[id]?.lastSequence
      receiver.changeLog(of: id) { log in
        if log.last > last { log.acceptRestored(end: last) }
        log.acceptMissing()
        if let end, end < last { log.acceptUnused(SequenceRanges([(end + 1)...last])) }
      }
      let kept = receiver.logs[id]?.links.keys.sorted() ?? []
      let (row, chunks) = rows(of: id, kept)
      try repository.replace(row, chunks)
    }
    return try count + (station == nil ? repository.acceptRefused() : 0)
  }
}
