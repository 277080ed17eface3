import TachogramCore

@testable import Sync

/// A space with three readers and a store: the kitchen writes, the gym has seen what it wrote, and the laptop reads.
struct TestSpace {
  let space: SpaceID
  let store = MemoryStore()
  let kitchen: StationKeys
  let gym: StationKeys
  let laptop: StationKeys
  private(set) var records: [MemberRecord]
  private(set) var writers: [StationID: LogWriter] = [:]

  init() async throws {
    kitchen = try StationKeys()
    gym = try StationKeys()
    laptop = try StationKeys()
    let founded = try MembershipChanges.found(by: kitchen, recovery: try RecoveryKey().keys().identity)
    space = founded.space
    records = [founded.record]
    try await put(founded.record, number: 1)
    for reader in [gym, laptop] {
      try await change { changes throws(MembershipFailure) in try changes.add(reader.identity, role: .reader) }
    }
  }

  var membership: Membership { get throws { try Membership(space: space, records: records) } }

  /// Adds a member record of the kitchen.
  mutating func change(
    _ body: (MembershipChanges) throws(MembershipFailure) -> MemberRecord
  ) async throws {
    let record = try body(MembershipChanges(try membership, by: kitchen))
    records.append(record)
    try await put(record, number: UInt64(records.count))
  }

  private func put(_ record: MemberRecord, number: UInt64) async throws {
    let log = StoreLog(space: space, station: kitchen.id, kind: .members)
    _ = try await store.putIfAbsent(record.bytes, at: StoreKey(log: log, sequence: number))
  }

  func log(_ keys: StationKeys) -> StoreLog { StoreLog(space: space, station: keys.id, kind: .chunks) }

  func key(_ keys: StationKeys, _ sequence: UInt64) -> StoreKey { StoreKey(log: log(keys), sequence: sequence) }

  /// Writes chunks to the log of a station, one a day from 2026-03-20. Returns them.
  @discardableResult
  mutating func write(
    _ count: Int, by keys: StationKeys, kind: ChunkKind = .stress, heads: [LogHead] = [], payload: [UInt8] = [1]
  ) async throws -> [Envelope] {
    let membership = try membership
    var writer = writers[keys.id] ?? LogWriter(space: space, head: nil)
    var written: [Envelope] = []
    for _ in 0..<count {
      let day = Int64(writer.head?.sequence ?? 0)
      let chunk = Chunk(
        kind: kind, sealed: WallTime(microseconds: 1_773_964_800_000_000 + day * 86_400_000_000), heads: heads,
        memberHeads: membership.heads, payload: payload)
      let envelope = try writer.append(chunk, to: membership.currentEpoch, by: keys)
      written.append(envelope)
      _ = try await store.putIfAbsent(envelope.bytes, at: key(keys, envelope.header.sequence))
    }
    writers[keys.id] = writer
    return written
  }

  func receiver(_ keys: StationKeys? = nil, records: [MemberRecord]? = nil) throws -> SpaceReceiver {
    try SpaceReceiver(
      membership: Membership(space: space, records: records ?? self.records), keys: keys ?? laptop)
  }

  /// Receives the chunks of the kitchen and the gym. Returns all findings.
  func receive(_ receiver: inout SpaceReceiver, from store: any SyncStoreProtocol) async throws -> [LogFinding] {
    var findings: [LogFinding] = []
    for keys in [kitchen, gym] {
      try await StoreReader(store, space: space).receive(from: keys.id, into: &receiver) { received, _ in
        findings += received.findings
      }
    }
    return findings + receiver.findings
  }
}
