/// Makes the records that change a membership.
package struct MembershipChanges: Sendable {
  private let membership: Membership
  private let keys: StationKeys

  /// Creates the changes that a member makes. Throws if it may not.
  package init(_ membership: Membership, by keys: StationKeys) throws(MembershipFailure) {
    guard membership.members[keys.id]?.role.canRead ?? false else { throw .notReader(keys.id) }
    self.membership = membership
    self.keys = keys
  }

  /// Returns the record that founds a space, whose digest is the identifier of the space.
  package static func found(
    by keys: StationKeys, recovery: StationIdentity
  ) throws(MembershipFailure) -> (space: SpaceID, record: MemberRecord) {
    let members = [Member(identity: keys.identity, role: .reader), Member(identity: recovery, role: .recovery)]
    let epoch = try EpochAnnouncement(EpochKey(epoch: 1), to: members, by: keys.id)
    let record = try MemberRecord(
      space: nil, parents: [], change: .found(founder: keys.identity, recovery: recovery, epoch: epoch), by: keys)
    return (SpaceID(digest: record.digest), record)
  }

  /// Returns a record that adds a reader, with the keys of all epochs, or a sensor.
  package func add(_ identity: StationIdentity, role: MemberRole) throws(MembershipFailure) -> MemberRecord {
    guard membership.identity(of: identity.id) == nil else { throw .knownStation(identity.id) }
    guard role != .recovery else { throw .recoveryMember }
    let sealed =
      role.canRead
      ? try SealedEpochKeys(try membership.epochKeys(of: keys), to: identity, by: keys.id) : nil
    return try record(.add(Member(identity: identity, role: role), keys: sealed))
  }

  /// Returns a record that removes a member. `lastSequence` is its last chunk that remains valid. If the member could read, a
  /// new epoch must begin.
  package func remove(_ station: StationID, lastSequence: UInt64) throws(MembershipFailure) -> MemberRecord {
    guard let member = membership.members[station] else { throw .notMember(station) }
    guard member.role != .recovery || station == keys.id else { throw .recoveryMember }
    return try record(.remove(station, lastSequence: lastSequence))
  }

  /// Returns a record that begins a new epoch, with its key sealed to all members that may read.
  package func newEpoch() throws(MembershipFailure) -> MemberRecord { try record(.epoch(try announcement())) }

  /// Returns a record that deletes all data of earlier epochs.
  package func reset() throws(MembershipFailure) -> MemberRecord {
    guard membership.generation < UInt32.max else { throw .exhausted }
    return try record(.reset(generation: membership.generation + 1, epoch: try announcement()))
  }

  private func announcement() throws(MembershipFailure) -> EpochAnnouncement {
    guard membership.currentEpoch.epoch < UInt32.max else { throw .exhausted }
    return try EpochAnnouncement(
      EpochKey(epoch: membership.currentEpoch.epoch + 1), to: membership.members.values, by: keys.id)
  }

  private func record(_ change: MemberChange) throws(MembershipFailure) -> MemberRecord {
    try MemberRecord(space: membership.space, parents: membership.heads, change: change, by: keys)
  }
}
