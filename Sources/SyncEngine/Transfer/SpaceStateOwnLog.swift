import FileSystem
import Repository
import StressKit
import Sync
import TachogramCore

extension SpaceState {
  /// Adopts the chunks of this station that the store has and the database has not, as after a backup was restored: their
  /// sessions come back.
  package mutating func adoptOwnLog(
    from store: any SyncStoreProtocol, at now: WallTime, isClockSynchronised: Bool
  ) async throws -> Download {
    let log = StoreLog(space: space, station: id, kind: .chunks)
    let last = receiver.logs[id]?.last ?? 0
    let listing = try await store.list(log, after: max(last, 1) - 1, limit: 2)
    var download = Download()
    // A store that lost the end of the own log would get a hole with the next chunk.
    if last > 0, !listing.sequences.contains(last), try outbox.kept(last...last).first?.isUploaded ?? true {
      let place = SequenceRanges([last...last])
      download.findings.append(LogFinding(.rolledBack, of: id, place, since: receiver.logs[id]?.since(place)))
    }
    guard listing.sequences.contains(where: { $0 > last }) else { return download }
    try await receive(
      id, StoreReader(store, space: space), into: &download, at: now, isClockSynchronised: isClockSynchronised)
    return download
  }

  /// Continues as a new member, because another station uses the keys of this one, as a copied card does. What this station has
  /// is sealed again in its new log. Throws `SyncFailure.copied` for a sensor, which cannot add members.
  package mutating func becomeNewMember(
    _ keyFile: StationKeyFile, store: any SyncStoreProtocol, now: WallTime, isClockSynchronised: Bool
  ) async throws {
    guard membership.members[id]?.role == .reader else { throw SyncFailure.copied }
    // Both keys are there until the database has changed, so that an end at any point leaves one that fits, and the next attempt does
    // not add another member.
    let begun = try keyFile.readNext().flatMap { membership.members[$0.id] == nil ? nil : $0 }
    let new = try begun ?? StationKeys()
    if begun == nil {
      try keyFile.writeNext(new)
      try add([try MembershipChanges(membership, by: keys).add(new.identity, role: .reader)])
    }
    try await uploadMembers(to: store)
    try repository.restart(as: new.id.digest.bytes, memberRecords: [:])
    self = try SpaceState(
      database, keyFile: keyFile, kind: kind, now: now, isClockSynchronised: isClockSynchronised)
  }
}
