import Testing

@testable import Sync

@Suite("Membership")
struct MembershipTests {
  private let founder: StationKeys
  private let recovery: RecoveryKey
  private let space: SpaceID
  private let first: MemberRecord

  init() throws {
    founder = try StationKeys()
    recovery = RecoveryKey()
    (space, first) = try MembershipChanges.found(by: founder, recovery: try recovery.keys().identity)
  }

  private func membership(_ records: [MemberRecord]) throws -> Membership {
    try Membership(space: space, records: records)
  }

  private func changes(_ records: [MemberRecord], by keys: StationKeys) throws -> MembershipChanges {
    try MembershipChanges(try membership(records), by: keys)
  }

  /// Returns records that found the space and add readers.
  private func records(readers: [StationKeys]) throws -> [MemberRecord] {
    try readers.reduce([first]) { records, reader in
      records + [try changes(records, by: founder).add(reader.identity, role: .reader)]
    }
  }

  // MARK: - One branch

  @Test func testFound_HasFounderAndRecovery() throws {
    let state = try membership([first])
    #expect(state.members[founder.id]?.role == .reader)
    #expect(state.members[try recovery.keys().id]?.role == .recovery)
    #expect(state.currentEpoch.epoch == 1 && !state.needsNewEpoch)
    #expect(try state.epochKeys(of: founder).map(\.publicKey) == [state.currentEpoch])
    #expect(try state.epochKeys(of: recovery.keys()).map(\.publicKey) == [state.currentEpoch])
    #expect(try MemberRecord(bytes: first.bytes) == first)
  }

  @Test func testReader_ReceivesAllKeys_AndSensorNone() throws {
    let (reader, sensor) = (try StationKeys(), try StationKeys())
    var records = [first]
    records.append(try changes(records, by: founder).newEpoch())
    records.append(try changes(records, by: founder).add(reader.identity, role: .reader))
    records.append(try changes(records, by: reader).add(sensor.identity, role: .sensor))
    let state = try membership(records)
    #expect(try state.epochKeys(of: reader).map(\.epoch) == [1, 2])
    #expect(try state.epochKeys(of: sensor).isEmpty)
    #expect(throws: MembershipFailure.notReader(sensor.id)) { try changes(records, by: sensor) }
    #expect(throws: MembershipFailure.knownStation(sensor.id)) {
      try changes(records, by: founder).add(sensor.identity, role: .reader)
    }
    // An envelope of the sensor, which knows the public key, opens with the key of the reader.
    let envelope = try EnvelopeSealer.seal(
      [5], at: .init(space: space, sequence: 1, previous: .zero), to: state.currentEpoch, by: sensor)
    let key = try #require(try state.epochKeys(of: reader).last)
    #expect(try EnvelopeSealer.open(envelope, from: sensor.identity, with: key) == [5])
  }

  @Test func testRemove_NeedsNewEpoch_WhichTheRemovedCannotOpen() throws {
    let (one, two) = (try StationKeys(), try StationKeys())
    var records = try records(readers: [one, two])
    records.append(try changes(records, by: founder).remove(one.id, lastSequence: 7))
    #expect(try membership(records).needsNewEpoch)
    records.append(try changes(records, by: two).newEpoch())
    let state = try membership(records)
    #expect(!state.needsNewEpoch && state.members[one.id] == nil)
    #expect(state.removed[one.id]?.lastSequence == 7 && state.verifier(of: one.id).lastSequence == 7)
    #expect(try state.epochKeys(of: one).map(\.epoch) == [1])
    #expect(try state.epochKeys(of: two).map(\.epoch) == [1, 2])
    #expect(try state.epochKeys(of: recovery.keys()).map(\.epoch) == [1, 2])
    #expect(throws: MembershipFailure.notReader(one.id)) { try changes(records, by: one) }
    #expect(throws: MembershipFailure.notMember(one.id)) {
      try changes(records, by: two).remove(one.id, lastSequence: 0)
    }
  }

  @Test func testRemovedStation_IsNotAddedAgainWithItsKeys() throws {
    let one = try StationKeys()
    var records = try records(readers: [one])
    records.append(try changes(records, by: founder).remove(one.id, lastSequence: 7))
    let again = try MemberRecord(
      space: space, parents: try membership(records).heads,
      change: .add(
        Member(identity: one.identity, role: .reader), keys: SealedEpochKeys([], to: one.identity, by: founder.id)),
      by: founder)
    let state = try membership(records + [again])
    #expect(state.members[one.id] == nil && state.ignored == [again.digest])
  }

  @Test func testRecovery_AddsStationWhenAllOthersAreLost() throws {
    let station = try StationKeys()
    let keys = try RecoveryWords.key(RecoveryWords.words(recovery).joined(separator: " ")).keys()
    let added = try changes([first], by: keys).add(station.identity, role: .reader)
    #expect(try membership([first, added]).epochKeys(of: station).map(\.epoch) == [1])
    #expect(throws: MembershipFailure.recoveryMember) {
      try changes([first], by: founder).remove(keys.id, lastSequence: 0)
    }
  }

  @Test func testReset_StopsStationsOfOlderGeneration() throws {
    let records = [first, try changes([first], by: founder).reset()]
    let state = try membership(records)
    #expect(state.generation == 1 && state.firstEpoch == 2 && state.currentEpoch.epoch == 2)
    #expect(throws: MembershipFailure.wasReset(generation: 1)) { try state.checkUpload(by: founder, generation: 0) }
    try state.checkUpload(by: founder, generation: 1)
    let stranger = try StationKeys()
    #expect(throws: MembershipFailure.notMember(stranger.id)) { try state.checkUpload(by: stranger, generation: 1) }
  }

  @Test func testWrongKey_IsRefused() throws {
    let state = try membership([first])
    #expect(throws: MembershipFailure.wrongEpochKey(epoch: 1)) { try state.check(EpochKey(epoch: 1)) }
    #expect(throws: MembershipFailure.wrongEpochKey(epoch: 9)) { try state.check(EpochKey(epoch: 9)) }
    // A record that adds a reader with another key than that of the epoch.
    let reader = try StationKeys()
    let wrong = try MemberRecord(
      space: space, parents: state.heads,
      change: .add(
        Member(identity: reader.identity, role: .reader),
        keys: SealedEpochKeys([EpochKey(epoch: 1)], to: reader.identity, by: founder.id)), by: founder)
    let joined = try membership([first, wrong])
    #expect(throws: MembershipFailure.wrongEpochKey(epoch: 1)) { try joined.checkUpload(by: reader, generation: 0) }
  }

  // MARK: - Forged and missing records

  @Test func testRecords_OfOthers_HaveNoEffect() throws {
    let thief = try StationKeys()
    let own = try MembershipChanges.found(by: thief, recovery: try recovery.keys().identity)
    let state = try membership([first])
    let forged = try MemberRecord(
      space: space, parents: state.heads,
      change: .add(
        Member(identity: thief.identity, role: .reader), keys: SealedEpochKeys([], to: thief.identity, by: thief.id)),
      by: thief)
    let result = try membership([first, forged, own.record])
    #expect(result.members.count == 2 && result.ignored == [forged.digest])
    #expect(throws: MembershipFailure.noFoundingRecord) { try Membership(space: space, records: [own.record]) }
    var bytes = first.bytes
    bytes[bytes.count - 1] ^= 1
    let unsigned = try MemberRecord(bytes: bytes)
    #expect(throws: MembershipFailure.noFoundingRecord) { try membership([unsigned]) }
  }

  @Test func testForgedCopies_ChangeNothing() throws {
    let (one, thief) = (try StationKeys(), try StationKeys())
    let all = try records(readers: [one])
    let expected = try membership(all)
    // Copies with other signatures, and records of strangers, some with parents that do not exist.
    var forged = try all.flatMap { record in
      try [0, 1, 63].map { place in
        var bytes = record.bytes
        bytes[bytes.count - 1 - place] ^= 1
        return try MemberRecord(bytes: bytes)
      }
    }
    for parents in [expected.heads, [ContentDigest(of: [1])]] {
      forged.append(
        try MemberRecord(
          space: space, parents: parents, change: .remove(founder.id, lastSequence: 0), by: thief))
    }
    let state = try membership(forged + all)
    #expect(state.members == expected.members && state.heads == expected.heads && state.missing.isEmpty)
  }

  @Test func testMembership_OfManyRecords_IsFast() throws {
    var records = [first]
    for _ in 0..<100 { records.append(try changes(records, by: founder).add(StationKeys().identity, role: .sensor)) }
    var duration = ContinuousClock().measure { _ = try? membership(records) }
    #expect(duration < .seconds(2))
    let longest = try (records.count..<Membership.mostRecords).reduce(into: records) { records, _ in
      records.append(
        try MemberRecord(
          space: space, parents: [records[records.count - 1].digest],
          change: .add(Member(identity: StationKeys().identity, role: .sensor), keys: nil), by: founder))
    }
    duration = ContinuousClock().measure { _ = try? membership(longest) }
    #expect(try membership(longest).members.count == longest.count + 1)
    #expect(duration < .seconds(10))
    #expect(throws: MembershipFailure.tooManyRecords(limit: 1024)) { try membership(longest + [first]) }
  }

  @Test func testRecord_WithMissingParent_WaitsAndIsNamed() throws {
    let (one, two) = (try StationKeys(), try StationKeys())
    let records = try records(readers: [one, two])
    let state = try membership([records[0], records[2]])
    #expect(state.members[two.id] == nil && state.missing == [records[1].digest])
    #expect(state.contains(records[0].digest) && !state.contains(records[1].digest))
  }

  @Test func testRecords_RandomMutations_NeverTrap() throws {
    var random = TestRandom(seed: 5)
    let reader = try StationKeys()
    let all = try records(readers: [reader])
    let samples =
      all + [
        try changes(all, by: reader).remove(founder.id, lastSequence: 300), try changes(all, by: reader).reset(),
      ]
    for round in 0..<12_000 {
      let mutated = random.mutated(samples[round % samples.count].bytes)
      guard let record = try? MemberRecord(bytes: mutated) else { continue }
      #expect(record.bytes == mutated)
      _ = try? Membership(space: space, records: all + [record])
    }
  }

  // MARK: - Branches

  @Test func testMerge_InAnyOrder_IsTheSame() throws {
    var random = TestRandom(seed: 6)
    for _ in 0..<30 {
      let stations = try (0..<4).map { _ in try StationKeys() }
      let base = try records(readers: stations)
      // Each station changes the membership without the records of the others, then some merge.
      var all = base
      for _ in 0..<8 {
        let seen = base + all.dropFirst(base.count).filter { _ in Bool.random(using: &random) }
        let author = stations.randomElement(using: &random) ?? founder
        guard let changes = try? changes(seen, by: author) else { continue }
        let target = stations.randomElement(using: &random) ?? founder
        let record =
          switch Int.random(in: 0..<4, using: &random) {
          case 0: try? changes.remove(target.id, lastSequence: UInt64.random(in: 0...9, using: &random))
          case 1: try? changes.newEpoch()
          case 2: try? changes.add(StationKeys().identity, role: .reader)
          default: try? changes.reset()
          }
        if let record { all.append(record) }
      }
      let expected = try membership(all)
      for _ in 0..<5 {
        let other = try membership((all + all.prefix(3)).shuffled(using: &random))
        #expect(other.members == expected.members && other.removed == expected.removed)
        #expect(other.currentEpoch == expected.currentEpoch && other.generation == expected.generation)
        #expect(other.ignored == expected.ignored && other.needsNewEpoch == expected.needsNewEpoch)
      }
    }
  }

  @Test func testMerge_RemovalWinsOverRecordsOfTheRemoved() throws {
    let (one, two, puppet) = (try StationKeys(), try StationKeys(), try StationKeys())
    let base = try records(readers: [one, two])
    let removal = try changes(base, by: two).remove(one.id, lastSequence: 3)
    let adding = try changes(base, by: one).add(puppet.identity, role: .reader)
    let byPuppet = try changes(base + [adding], by: puppet).remove(two.id, lastSequence: 0)
    let epoch = try changes(base, by: one).newEpoch()
    let state = try membership(base + [removal, adding, byPuppet, epoch])
    #expect(Set(state.members.keys) == [founder.id, two.id, try recovery.keys().id])
    #expect(Set(state.ignored) == [adding.digest, byPuppet.digest, epoch.digest])
    #expect(state.currentEpoch.epoch == 1 && state.needsNewEpoch)
  }

  @Test func testMerge_OfTwoThatRemoveEachOther_KeepsTheEarlier() throws {
    let (one, two) = (try StationKeys(), try StationKeys())
    let base = try records(readers: [one, two])
    let (byOne, byTwo) = (
      try changes(base, by: one).remove(two.id, lastSequence: 0),
      try changes(base, by: two).remove(one.id, lastSequence: 0)
    )
    let state = try membership(base + [byTwo, byOne])
    #expect(state.members[one.id] != nil && state.members[two.id] == nil)
    // The recovery member is earlier than all.
    let byRecovery = try changes(base, by: try recovery.keys()).remove(one.id, lastSequence: 0)
    let recovered = try membership(base + [byTwo, byOne, byRecovery])
    #expect(recovered.members[one.id] == nil)
  }

  @Test func testMerge_OfEqualEpochNumbers_KeepsBothKeys() throws {
    let one = try StationKeys()
    let base = try records(readers: [one])
    let epochs = [try changes(base, by: one).newEpoch(), try changes(base, by: founder).newEpoch()]
    let state = try membership(base + epochs)
    #expect(state.epochs[2]?.count == 2)
    #expect(state.currentEpoch == epochs[1].change.announcement?.publicKey)
    #expect(try state.epochKeys(of: one).count == 3)
  }

  @Test func testMerge_OfEpochAndNewReader_NeedsNewEpoch() throws {
    let one = try StationKeys()
    let base = try records(readers: [one])
    let reader = try StationKeys()
    let records =
      base + [
        try changes(base, by: one).newEpoch(), try changes(base, by: founder).add(reader.identity, role: .reader),
      ]
    #expect(try membership(records).needsNewEpoch)
    let next = records + [try changes(records, by: founder).newEpoch()]
    #expect(try !membership(next).needsNewEpoch)
    #expect(try membership(next).epochKeys(of: reader).map(\.epoch) == [1, 3])
  }
}
