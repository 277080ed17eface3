import FileSystem
import Recording
import Repository
import StressKit
import Sync
import TachogramCore

extension SpaceState {
  /// What one synchronisation did.
  package struct Pass: Sendable {
    package var uploaded = Upload()
    package var download = Download()
    /// The own chunks that came back from the store, as after a backup was restored.
    package var adopted = Download()
    /// The number of received sessions that were derived.
    package var derivedCount = 0
    /// Whether this station continues as a new member, because its keys are in use elsewhere.
    package var isNewMember = false
  }

  /// Synchronises once: members, what this station has for others, what others have for it. `isFirst` is whether the own log in the
  /// store may have chunks that this process does not know, as after a backup was restored.
  package mutating func pass(
    with store: any SyncStoreProtocol, keyFile: StationKeyFile, at now: WallTime, isFirst: Bool,
    isClockSynchronised: Bool = true, rhythm: Rhythm = Rhythm()
  ) async throws(SyncFailure) -> Pass {
    do {
      return try await synchronise(
        with: store, keyFile: keyFile, at: now, isFirst: isFirst, isClockSynchronised: isClockSynchronised, rhythm)
    } catch {
      throw SyncFailure(error)
    }
  }

  private mutating func synchronise(
    with store: any SyncStoreProtocol, keyFile: StationKeyFile, at now: WallTime, isFirst: Bool,
    isClockSynchronised: Bool, _ rhythm: Rhythm
  ) async throws -> Pass {
    var pass = Pass()
    padding = rhythm.padding
    let unreadMembers = try await synchroniseMembers(with: store)
    try membership.checkUpload(by: keys, generation: generation)
    try review(at: now, isClockSynchronised: isClockSynchronised)
    if isFirst {
      pass.adopted = try await adoptOwnLog(from: store, at: now, isClockSynchronised: isClockSynchronised)
    }
    do {
      _ = try await sendWhatFits(to: store, at: now, rhythm, into: &pass)
    } catch SyncFailure.copied {
      try await becomeNewMember(keyFile, store: store, now: now, isClockSynchronised: isClockSynchronised)
      pass.isNewMember = true
      _ = try await sendWhatFits(to: store, at: now, rhythm, into: &pass)
    }
    pass.download = try await download(from: store, at: now, isClockSynchronised: isClockSynchronised, rhythm)
    try erase(pass.download.deletions)
    // Also own sessions that another station had as well, with more entries.
    let changed = pass.adopted.sessions.union(pass.download.sessions).union(pass.adopted.cutSessions).union(
      pass.download.cutSessions)
    pass.derivedCount = try PendingDerivations(database: database).deriveReceived(and: changed)
    // Deletions by others may have left own chunks to be deleted in the store.
    let hasSentAll = try await sendWhatFits(to: store, at: now, rhythm, into: &pass)
    try release()
    try storeFindings(of: pass)
    if let failure = hasSentAll ? unreadMembers ?? pass.download.failure : .full { throw failure }
    try repository.setSynchronised(now)
    return pass
  }

  /// Stores what is wrong with logs, for people who ask later.
  private func storeFindings(of pass: Pass) throws {
    let lasting = Set(receiver.findings)
    let found = (pass.adopted.findings + pass.download.findings).filter { !lasting.contains($0) }
    let refused = (pass.adopted.refused + pass.download.refused).map { item in
      SyncRows.Finding(
        kind: SyncRows.Finding.refused, station: item.station.digest.bytes,
        sequences: SequenceRanges([item.sequence...item.sequence]).text, reason: item.reason)
    }
    var rows: [SyncRows.Finding] = []
    for row in found.map(\.row) + refused where !rows.contains(row) { rows.append(row) }
    try repository.store(rows)
  }

  /// Sends what there is. If the store is full, deletes in it what was deleted here, and tries again; a store that is still full does
  /// not prevent the station from receiving. Returns whether all was sent.
  private mutating func sendWhatFits(
    to store: any SyncStoreProtocol, at now: WallTime, _ rhythm: Rhythm, into pass: inout Pass
  ) async throws -> Bool {
    do {
      try await send(to: store, at: now, rhythm, into: &pass)
      return true
    } catch StoreFailure.full {
      while try seal(at: now, rhythm, onlyEdits: true) > 0 {}
    }
    do {
      try await deleteBodies(in: store)
      try await send(to: store, at: now, rhythm, into: &pass)
      return true
    } catch StoreFailure.full {
      return false
    }
  }

  /// Erases the bytes of what others deleted, also in databases that were replaced by a copy.
  private func erase(_ deletions: [(selection: SessionSelection, category: DataCategory)]) throws {
    if deletions.isEmpty { return }
    try database.emptyLog()
    for (selection, category) in deletions {
      _ = ReplacedDeletion(database: database.path).delete(selection, category)
    }
  }

  private mutating func send(
    to store: any SyncStoreProtocol, at now: WallTime, _ rhythm: Rhythm, into pass: inout Pass
  ) async throws {
    repeat {
      let sent = try await upload(to: store)
      pass.uploaded.count += sent.count
      pass.uploaded.bytes += sent.bytes
    } while try seal(at: now, rhythm) > 0
  }

  /// Receives and sends member records, and begins a new epoch if one is needed. Returns why some could not be read.
  private mutating func synchroniseMembers(with store: any SyncStoreProtocol) async throws -> StoreFailure? {
    let failure = try await checkStore(store)
    if membership.needsNewEpoch, membership.members[id]?.role.canRead ?? false {
      try add([try MembershipChanges(membership, by: keys).newEpoch()])
    }
    try await uploadMembers(to: store)
    return failure
  }

  /// Receives member records. Throws for a store that has nothing of a space that it had, as when a folder is not mounted: what would
  /// be sent there would not arrive. Returns why some records could not be read.
  @discardableResult
  mutating func checkStore(_ store: any SyncStoreProtocol) async throws -> StoreFailure? {
    let (isEmpty, failure) = try await downloadMembers(from: store)
    if isEmpty, let row = try repository.space(), row.synchronised != nil { throw SyncFailure.storeEmpty(row.store) }
    return failure
  }

  /// Releases the own chunks that all other readers have.
  private func release() throws {
    let readers = membership.members.values.filter { $0.role == .reader && $0.id != id }
    let pins = receiver.logs[id]?.pins ?? [:]
    guard let least = readers.map({ pins[$0.id]?.sequence ?? 0 }).min(), least > 0 else { return }
    try outbox.release(through: least)
  }
}
