import Repository
import Sync

extension SpaceState {
  /// Removes a member. If it could read, a new epoch begins, whose key it does not get.
  package mutating func remove(_ station: StationID, in store: any SyncStoreProtocol) async throws {
    guard station != id else { throw SyncFailure.removesItself }
    try await checkStore(store)
    let last = receiver.logs[station]?.last ?? 0
    var new = [try MembershipChanges(membership, by: keys).remove(station, lastSequence: last)]
    let rest = try Membership(space: space, records: records + new)
    if rest.needsNewEpoch { new.append(try MembershipChanges(rest, by: keys).newEpoch()) }
    // Both or none: a member that is removed must not read what follows.
    try add(new)
    try await uploadMembers(to: store)
  }

  /// Deletes all data of the space from the store. Other stations stop and ask.
  package mutating func reset(in store: any SyncStoreProtocol) async throws {
    try await checkStore(store)
    try membership.checkUpload(by: keys, generation: generation)
    try add([try MembershipChanges(membership, by: keys).reset()])
    try await uploadMembers(to: store)
    try await acceptReset(uploading: false, in: store)
  }

  /// Goes on after a reset: deletes the own chunks of earlier generations from the store. With `uploading`, all that this station
  /// recorded is sealed again.
  package mutating func acceptReset(uploading: Bool, in store: any SyncStoreProtocol) async throws {
    try await checkStore(store)
    let log = StoreLog(space: space, station: id, kind: .chunks)
    let own = receiver.logs[id]
    for (sequence, link) in own?.links ?? [:] where link.epoch < membership.firstEpoch {
      try await store.delete(StoreKey(log: log, sequence: sequence), keeping: EnvelopeHeader.byteCount)
    }
    try repository.beginGeneration(
      membership.generation, uploading: uploading, headerLength: EnvelopeHeader.byteCount,
      members: membership.members.keys.map(\.digest.bytes))
    generation = membership.generation
    if uploading { book = EditBook() } else { book.forgetValues() }
  }

  /// Whether a station that joins has not deleted its request, so that it has not read the reply.
  package func isWaiting(_ station: StationID, in store: any SyncStoreProtocol) async throws -> Bool {
    let log = StoreLog(space: space, station: station, kind: .joining)
    return try await !store.list(log, after: 0, limit: 1).sequences.isEmpty
  }
}
