import Repository
import Sync
import TachogramCore

/// Makes this station a member of a space.
package struct SyncSetup: Sendable {
  private let database: TachogramDatabase
  private let keyFile: StationKeyFile

  package init(database: TachogramDatabase, keyFile: StationKeyFile) {
    self.database = database
    self.keyFile = keyFile
  }

  private var repository: SyncRepository { SyncRepository(database: database) }

  /// Founds a space in a store, with this station as its first reader. Nothing is uploaded before the store has its first record.
  /// Returns the recovery key, which is not kept anywhere.
  package func found(
    at address: String, _ store: any SyncStoreProtocol, name: String, now: WallTime
  ) async throws(SyncFailure) -> RecoveryKey {
    do {
      guard try repository.space() == nil else { throw SyncFailure.hasSpace }
      let keys = try keyFile.readOrMake()
      let recovery = RecoveryKey()
      let (space, record) = try MembershipChanges.found(by: keys, recovery: try recovery.keys().identity)
      let log = StoreLog(space: space, station: keys.id, kind: .members)
      _ = try await store.putIfAbsent(record.bytes, at: StoreKey(log: log, sequence: 1))
      try join(space, [record], as: keys, generation: 0, at: address, name: name, now: now)
      return recovery
    } catch {
      throw SyncFailure(error)
    }
  }

  /// Joins a space with an invitation. Waits for the station that invited, at most for `attempts` calls of `pause`.
  package func join(
    _ text: String, role: MemberRole, at address: String, _ store: any SyncStoreProtocol, name: String, now: WallTime,
    attempts: Int, pause: () async throws -> Void
  ) async throws(SyncFailure) -> Membership {
    do {
      guard try repository.space() == nil else { throw SyncFailure.hasSpace }
      guard let invitation = Invitation(text: text) else { throw SyncFailure.notAnInvitation }
      let keys = try keyFile.readOrMake()
      let records = try await StoreReader(store, space: invitation.space).memberRecords()
      let membership = try? Membership(space: invitation.space, records: records)
      guard let inviter = membership?.identity(of: invitation.inviter) else { throw SyncFailure.spaceNotFound }
      let reply = try await JoinExchange(store, invitation).ask(
        role: role, name: name, keys: keys, inviter: inviter, attempts: attempts, pause: pause)
      try join(
        reply.membership.space, reply.records, as: keys, generation: reply.membership.generation, at: address,
        name: name, now: now)
      try pin(reply.heads, by: inviter.id, keys, reply)
      return reply.membership
    } catch {
      throw SyncFailure(error)
    }
  }

  /// Adds this station to a space with the recovery key, when no other station can invite it.
  package func recover(
    _ recovery: RecoveryKey, space: SpaceID, at address: String, _ store: any SyncStoreProtocol, name: String,
    now: WallTime
  ) async throws(SyncFailure) -> Membership {
    do {
      guard try repository.space() == nil else { throw SyncFailure.hasSpace }
      let (recoveryKeys, keys) = (try recovery.keys(), try keyFile.readOrMake())
      var records = try await StoreReader(store, space: space).memberRecords()
      guard let membership = try? Membership(space: space, records: records) else { throw SyncFailure.spaceNotFound }
      let record = try MembershipChanges(membership, by: recoveryKeys).add(keys.identity, role: .reader)
      records.append(record)
      let log = StoreLog(space: space, station: keys.id, kind: .members)
      _ = try await store.putIfAbsent(record.bytes, at: StoreKey(log: log, sequence: 1))
      try join(space, records, as: keys, generation: membership.generation, at: address, name: name, now: now)
      return try Membership(space: space, records: records)
    } catch {
      throw SyncFailure(error)
    }
  }

  private func join(
    _ space: SpaceID, _ records: [MemberRecord], as keys: StationKeys, generation: UInt32, at address: String,
    name: String, now: WallTime
  ) throws {
    try repository.join(
      SyncRows.Space(
        space: space.digest.bytes, station: keys.id.digest.bytes, store: address, name: name, generation: generation,
        clock: SyncRows.Clock(wall: now, counter: 0)),
      memberRecords: Dictionary(records.map { ($0.digest.bytes, $0.bytes) }, uniquingKeysWith: { first, _ in first }))
  }

  /// Stores what the inviter has seen, so that the store cannot withhold it.
  private func pin(_ heads: [LogHead], by inviter: StationID, _ keys: StationKeys, _ reply: JoinReply) throws {
    var receiver = try SpaceReceiver(membership: reply.membership, keys: keys)
    receiver.pin(heads, by: inviter)
    for (station, log) in receiver.logs {
      try repository.replace(
        SyncRows.Log(station: station.digest.bytes, state: LogState(of: log, unopened: []).bytes, carried: 0), [])
    }
  }
}
