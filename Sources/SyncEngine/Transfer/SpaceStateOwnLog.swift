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
    let listing = try await store.list(log, after: receiver.logs[id]?.last ?? 0, limit: 1)
    var download = Download()
    guard !listing.sequences.isEmpty else { return download }
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
    let new = try StationKeys()
    let record = try MembershipChanges(membership, by: keys).add(new.identity, role: .reader)
    try add([record])
    try await uploadMembers(to: store)
    // The keys are written first: with the old ones the database would not open.
    try keyFile.write(new)
    try repository.restart(as: new.id.digest.bytes, memberRecords: [record.digest.bytes: record.bytes])
    self = try SpaceState(
      database, keyFile: keyFile, kind: kind, now: now, isClockSynchronised: isClockSynchronised)
  }
}
