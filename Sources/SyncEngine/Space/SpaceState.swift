import Repository
import StressKit
import Sync
import TachogramCore

/// A space as this station knows it: members, logs and edits. It is loaded once, and follows what is stored.
package struct SpaceState: SpaceReceiving {
  package let database: TachogramDatabase
  package let keys: StationKeys
  package let space: SpaceID
  package private(set) var records: [MemberRecord]
  package var receiver: SpaceReceiver
  /// The last chunks of other logs that the own log has stated.
  package var carried: [StationID: UInt64]
  package var book: EditBook
  package var clock: HybridClock
  /// The generation of the space whose data this station has.
  package var generation: UInt32
  /// The revision of the stored state that this value follows.
  package internal(set) var revision: Int64
  /// The member records that the store is known to have, and the last place of each log of records that was read.
  var storedRecords: Set<ContentDigest> = []
  var memberPlaces: [StationID: UInt64] = [:]
  /// How chunks are padded that are sealed from now on.
  var padding = PaddingRule.padme
  /// The metric that stands for HRV in the derivation of received sessions.
  package let kind: HRVKind

  package var repository: SyncRepository { SyncRepository(database: database) }
  package var outbox: SyncOutbox { SyncOutbox(database: database) }
  package var inbox: SyncInbox { SyncInbox(database: database) }
  package var membership: Membership { receiver.membership }
  package var id: StationID { keys.id }

  /// Loads the space of a database. `isClockSynchronised` is whether the civil clock can be trusted.
  package init(
    _ database: TachogramDatabase, keyFile: StationKeyFile, kind: HRVKind, now: WallTime, isClockSynchronised: Bool
  ) throws(SyncFailure) {
    do {
      try self.init(
        loading: database, keyFile: keyFile, kind: kind, now: now, isClockSynchronised: isClockSynchronised)
    } catch {
      throw SyncFailure(error)
    }
  }

  private init(
    loading database: TachogramDatabase, keyFile: StationKeyFile, kind: HRVKind, now: WallTime,
    isClockSynchronised: Bool
  ) throws {
    let repository = SyncRepository(database: database)
    guard let row = try repository.space() else { throw SyncFailure.noSpace }
    guard let keys = try keyFile.read(matching: { $0.id.digest.bytes == row.station }) else {
      throw try keyFile.read() == nil
        ? SyncFailure.keysMissing(path: keyFile.path) : SyncFailure.otherKeys(path: keyFile.path)
    }
    guard let digest = ContentDigest(bytes: row.space) else { throw SyncFailure.damagedState("space") }
    let space = SpaceID(digest: digest)
    let records = try repository.memberRecords().map { try MemberRecord(bytes: $0) }
    let membership = try Membership(space: space, records: records)
    var (logs, unopened, carried): ([StationID: VerifiedLog], [StationID: Set<UInt64>], [StationID: UInt64]) =
      ([:], [:], [:])
    for log in try repository.logs() {
      guard let digest = ContentDigest(bytes: log.station) else { throw SyncFailure.damagedState("station") }
      let station = StationID(digest: digest)
      let state = try LogState(bytes: log.state, station: station)
      logs[station] = try Self.log(of: station, state, try repository.chunks(of: log.station))
      logs[station]?.firstEpoch = membership.firstEpoch
      if !state.unopened.isEmpty { unopened[station] = state.unopened }
      carried[station] = log.carried
    }
    (self.database, self.keys, self.space, self.records, self.kind) = (database, keys, space, records, kind)
    self.carried = carried
    generation = row.generation
    revision = row.revision
    receiver = try SpaceReceiver(
      membership: membership, keys: keys, logs: logs, unopened: unopened)
    clock = HybridClock(station: keys.id, after: row.clock.wall, counter: row.clock.counter)
    book = EditBook()
    // What was quarantined then waits for a review, which applies it.
    let reviewed = min(row.synchronised ?? now, now)
    for row in try repository.edits() {
      guard let edit = Edit(row) else { throw SyncFailure.damagedState("edit of \(row.target)") }
      book.add(edit, at: reviewed, isClockSynchronised: isClockSynchronised)
    }
  }

  private static func log(
    of station: StationID, _ state: LogState, _ rows: [SyncRows.Chunk]
  ) throws -> VerifiedLog {
    var links: [UInt64: VerifiedLog.Link] = [:]
    var withoutBody: Set<UInt64> = []
    for row in rows {
      guard let digest = ContentDigest(bytes: row.digest), let previous = ContentDigest(bytes: row.previous) else {
        throw SyncFailure.damagedState("chunk \(row.sequence)")
      }
      links[row.sequence] = VerifiedLog.Link(
        digest: digest, previous: previous, epoch: row.epoch, sealed: row.sealed)
      if !row.hasBody { withoutBody.insert(row.sequence) }
    }
    return VerifiedLog(station: station, links: links, withoutBody: withoutBody, state: state)
  }

  /// Adds member records, and stores new ones.
  package mutating func add(_ more: [MemberRecord]) throws {
    let known = Set(records.map(\.digest))
    let new = more.filter { !known.contains($0.digest) }
    guard !new.isEmpty else { return }
    let membership = try Membership(space: space, records: records + new)
    try receiver.update(membership)
    records += new
    try repository.add(
      memberRecords: Dictionary(new.map { ($0.digest.bytes, $0.bytes) }, uniquingKeysWith: { first, _ in first }))
  }

  /// The rows of a log, with those of its chunks in `sequences`.
  func rows(of station: StationID, _ sequences: some Sequence<UInt64>) -> (SyncRows.Log, [SyncRows.Chunk]) {
    let log = receiver.logs[station] ?? VerifiedLog(station: station)
    let state = LogState(of: log, unopened: receiver.unopened[station] ?? [])
    let chunks = sequences.compactMap { sequence in
      log.links[sequence].map { link in
        SyncRows.Chunk(
          sequence: sequence, digest: link.digest.bytes, previous: link.previous.bytes, epoch: link.epoch,
          sealed: link.sealed, hasBody: !log.withoutBody.contains(sequence))
      }
    }
    return (
      SyncRows.Log(station: station.digest.bytes, state: state.bytes, carried: carried[station] ?? 0), chunks
    )
  }

  /// The row of the clock.
  var clockRow: SyncRows.Clock { SyncRows.Clock(wall: clock.wall, counter: clock.counter) }
}
