import Repository
import Sync

extension SpaceState {
  /// What an upload did.
  package struct Upload: Hashable, Sendable {
    package var count = 0
    package var bytes = 0
  }

  /// Uploads what is sealed, and deletes the bodies that were deleted here. Throws `SyncFailure.copied` if the store has another
  /// chunk in place of an own one.
  package mutating func upload(to store: any SyncStoreProtocol) async throws -> Upload {
    try membership.checkUpload(by: keys, generation: generation)
    var upload = Upload()
    let log = StoreLog(space: space, station: id, kind: .chunks)
    while true {
      let pending = try outbox.pending(byteLimit: 1 << 20)
      guard !pending.isEmpty else { break }
      var rest = pending.compactMap { chunk in
        chunk.envelope.map { StoreObject(key: StoreKey(log: log, sequence: chunk.sequence), bytes: $0) }
      }[...]
      while !rest.isEmpty {
        let results = try await store.put(Array(rest))
        let sent = rest.prefix(results.count)
        for (object, result) in zip(sent, results) {
          guard case .conflict(let existing) = result else { continue }
          // The store may have the chunk without its body already.
          let header = object.bytes.prefix(EnvelopeHeader.byteCount)
          if existing.starts(with: header) { continue }
          guard isOwn(existing, at: object.key.sequence) else {
            // Something that nobody signed, as after a damage, is no chunk of a copied card.
            try await store.delete(object.key, keeping: 0)
            _ = try await store.putIfAbsent(object.bytes, at: object.key)
            continue
          }
          throw SyncFailure.copied
        }
        try outbox.setUploaded(sent.map(\.key.sequence))
        upload.count += sent.count
        upload.bytes += sent.reduce(0) { $0 + $1.bytes.count }
        rest = rest.dropFirst(max(1, results.count))
      }
    }
    try await deleteBodies(in: store)
    return upload
  }

  /// Whether an object is an authentic chunk of this station for a place.
  private func isOwn(_ bytes: [UInt8], at sequence: UInt64) -> Bool {
    guard let header = try? Envelope(bytes: bytes).header else { return false }
    return header.space == space && header.station == id && header.sequence == sequence
      && header.isSigned(by: keys.identity)
  }

  /// Deletes the bodies of own chunks in the store that were deleted here.
  func deleteBodies(in store: any SyncStoreProtocol) async throws {
    let log = StoreLog(space: space, station: id, kind: .chunks)
    for sequence in try outbox.dropped() {
      try await store.delete(StoreKey(log: log, sequence: sequence), keeping: EnvelopeHeader.byteCount)
      try outbox.setBodiesDeleted([sequence])
    }
  }

  /// Receives the member records that the store has and this station has not. Returns whether the store has none at all, and why some
  /// could not be read.
  @discardableResult
  mutating func downloadMembers(
    from store: any SyncStoreProtocol
  ) async throws -> (isEmpty: Bool, failure: StoreFailure?) {
    // Damaged records are left out; their author sends them again.
    let read = try await StoreReader(store, space: space).memberRecords(after: &memberPlaces)
    storedRecords.formUnion(read.records.map(\.digest))
    try add(read.records)
    if read.isEmpty { (storedRecords, memberPlaces) = ([], [:]) }
    return (read.isEmpty, read.failure)
  }

  /// Uploads the member records that the store does not have, whoever made them.
  mutating func uploadMembers(to store: any SyncStoreProtocol) async throws {
    let missing = records.filter { !storedRecords.contains($0.digest) }
    guard !missing.isEmpty else { return }
    let log = StoreLog(space: space, station: id, kind: .members)
    var next = try await store.lastSequence(of: log) + 1
    for record in missing {
      // Another process of this station may write at the same time.
      while case .conflict(let existing) = try await store.putIfAbsent(
        record.bytes, at: StoreKey(log: log, sequence: next)), existing != record.bytes
      { next += 1 }
      next += 1
      storedRecords.insert(record.digest)
    }
  }
}
