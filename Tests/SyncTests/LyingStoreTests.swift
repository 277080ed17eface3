import SyncTestKit
import TachogramCore
import Testing

@testable import Sync

@Suite("A store that lies")
struct LyingStoreTests {
  private func kinds(_ findings: [LogFinding]) -> [LogFinding.Kind] { findings.map(\.kind) }

  private func range(_ range: ClosedRange<UInt64>) -> SequenceRanges { SequenceRanges([range]) }

  @Test func testTruth_HasNoFindings() async throws {
    var world = try await TestSpace()
    try await world.write(300, by: world.kitchen)
    let head = try #require(world.writers[world.kitchen.id]?.head)
    try await world.write(2, by: world.gym, heads: [head])
    var receiver = try world.receiver()
    #expect(try await world.receive(&receiver, from: world.store).isEmpty)
    #expect(receiver.logs[world.kitchen.id]?.last == 300 && receiver.heads.count == 2)
    #expect(receiver.heads(after: [world.kitchen.id: 300]).map(\.station) == [world.gym.id])
    #expect(try await world.receive(&receiver, from: world.store).isEmpty)
  }

  @Test func testReorderedAndDuplicated_ChangesNothing() async throws {
    var world = try await TestSpace()
    try await world.write(9, by: world.kitchen)
    var lying = LyingStore(world.store)
    lying.isDisordered = true
    var receiver = try world.receiver()
    #expect(try await world.receive(&receiver, from: lying).isEmpty)
    #expect(receiver.logs[world.kitchen.id]?.last == 9)
    // A copy at another place is not a new chunk.
    lying.replaced = [world.key(world.kitchen, 10): try #require(await world.store.get(world.key(world.kitchen, 9)))]
    #expect(kinds(try await world.receive(&receiver, from: lying)) == [.misplaced])
  }

  @Test func testDropped_IsMissing_AndRepairedByAuthor() async throws {
    var world = try await TestSpace()
    try await world.write(24, by: world.kitchen)
    var lying = LyingStore(world.store)
    lying.denied = Set((10...23).map { world.key(world.kitchen, $0) })
    var receiver = try world.receiver()
    let findings = try await world.receive(&receiver, from: lying)
    #expect(kinds(findings) == [.missing])
    #expect(
      LogFindingText(try #require(findings.first)) { _ in "kitchen" }.text
        == "14 chunks of kitchen are missing since 2026-03-28")
    #expect(findings.first?.sequences == range(10...23))
    // Repaired.
    lying.denied = []
    #expect(try await world.receive(&receiver, from: lying).isEmpty)
  }

  @Test func testTruncated_IsNamed_AndRepaired() async throws {
    var world = try await TestSpace()
    let written = try await world.write(5, by: world.kitchen)
    var lying = LyingStore(world.store)
    // Cut within the header or the body, or to the header, as if the author had deleted the body.
    for (length, kind) in [(100, .damaged), (300, .damaged), (246, .absentBody)] as [(Int, LogFinding.Kind)] {
      lying.replaced = [world.key(world.kitchen, 3): Array(written[2].bytes.prefix(length))]
      var receiver = try world.receiver()
      let findings = try await world.receive(&receiver, from: lying)
      #expect(kinds(findings) == (kind == .damaged ? [.damaged, .missing] : [.absentBody]))
      lying.replaced = [:]
      #expect(try await world.receive(&receiver, from: lying).isEmpty)
    }
  }

  @Test func testBodyDeletedByAuthor_IsNoFinding() async throws {
    var world = try await TestSpace()
    try await world.write(5, by: world.kitchen)
    await world.store.delete(world.key(world.kitchen, 2), keeping: EnvelopeHeader.byteCount)
    let edits = EditChunk(deletedBodies: range(2...2))
    try await world.write(1, by: world.kitchen, kind: .edit, payload: try EditChunkCodec.encode(edits))
    var receiver = try world.receiver()
    #expect(try await world.receive(&receiver, from: world.store).isEmpty)
  }

  @Test func testRolledBack_IsNamed_AndAccepted() async throws {
    var world = try await TestSpace()
    try await world.write(8, by: world.kitchen)
    var receiver = try world.receiver()
    #expect(try await world.receive(&receiver, from: world.store).isEmpty)
    var lying = LyingStore(world.store)
    lying.end = 5
    #expect(kinds(try await world.receive(&receiver, from: lying)) == [.rolledBack])
    // Accepted: the store and its author were restored.
    receiver.changeLog(of: world.kitchen.id) { $0.acceptRestored(end: 5) }
    #expect(try await world.receive(&receiver, from: lying).isEmpty)
  }

  @Test func testHeadsOfJoinReply_ArePinned() async throws {
    var world = try await TestSpace()
    let written = try await world.write(4, by: world.kitchen)
    var receiver = try world.receiver()
    let head = LogHead(station: world.kitchen.id, sequence: 4, digest: written[3].header.digest)
    receiver.pin([head, LogHead(station: try StationKeys().id, sequence: 9, digest: .zero)], by: world.kitchen.id)
    var lying = LyingStore(world.store)
    lying.end = 2
    #expect(kinds(try await world.receive(&receiver, from: lying)) == [.withheld] && receiver.logs.count == 2)
  }

  @Test func testRolledBackForNewReader_IsNamedByWitness() async throws {
    var world = try await TestSpace()
    try await world.write(8, by: world.kitchen)
    try await world.write(1, by: world.gym, heads: [try #require(world.writers[world.kitchen.id]?.head)])
    var lying = LyingStore(world.store)
    lying.denied = Set((6...8).map { world.key(world.kitchen, $0) })
    var receiver = try world.receiver()
    let findings = try await world.receive(&receiver, from: lying)
    #expect(kinds(findings) == [.withheld] && findings[0].sequences == range(6...8))
    #expect(findings[0].witness == world.gym.id)
    let names = [world.kitchen.id: "kitchen", world.gym.id: "gym"]
    #expect(
      LogFindingText(findings[0]) { names[$0] }.text
        == "3 chunks of kitchen that gym has seen are missing since 2026-03-24")
    receiver.changeLog(of: world.kitchen.id) { $0.acceptMissing() }
    #expect(try await world.receive(&receiver, from: lying).isEmpty)
  }

  @Test func testForked_IsNamedByWitness() async throws {
    var world = try await TestSpace()
    let written = try await world.write(8, by: world.kitchen)
    // The gym has seen another chunk 6, of a copied card.
    var copy = LogWriter(
      space: world.space,
      head: LogHead(station: world.kitchen.id, sequence: 5, digest: written[4].header.digest))
    let other = try copy.append(
      Chunk(kind: .stress, sealed: WallTime(microseconds: 0), payload: [9]), to: try world.membership.currentEpoch,
      by: world.kitchen)
    try await world.write(1, by: world.gym, heads: [try #require(copy.head)])
    var receiver = try world.receiver()
    let findings = try await world.receive(&receiver, from: world.store)
    #expect(
      findings == [
        LogFinding(.forked, of: world.kitchen.id, range(6...6), since: findings.first?.since, witness: world.gym.id)
      ])
    // Shown to a station that has the first one.
    var lying = LyingStore(world.store)
    lying.replaced = [world.key(world.kitchen, 8): other.bytes, world.key(world.kitchen, 7): written[6].bytes]
    #expect(kinds(try await world.receive(&receiver, from: lying)).contains(.misplaced))
    // The copy finds out by itself, and joins as a new member.
    var own = VerifiedLog(station: world.kitchen.id)
    let stored = written.map { StoredChunk(sequence: $0.header.sequence, bytes: $0.bytes) }
    _ = try world.membership.verifier(of: world.kitchen.id).verify(stored, isWhole: true, into: &own)
    #expect(OwnLogState(own: copy.head, stored: own) == .copied(sequence: 6))
    let fresh = try StationKeys()
    try await world.change { changes throws(MembershipFailure) in try changes.add(fresh.identity, role: .reader) }
    #expect(try world.membership.epochKeys(of: fresh).count == 1)
  }

  @Test func testSwapped_BodiesAndSpaces_AreNamed() async throws {
    var (world, other) = (try await TestSpace(), try await TestSpace())
    let written = try await world.write(5, by: world.kitchen)
    let foreign = try await other.write(5, by: other.kitchen)
    var lying = LyingStore(world.store)
    let key = world.key(world.kitchen, 5)
    lying.replaced = [key: written[4].header.bytes + (foreign[4].body ?? [])]
    var receiver = try world.receiver()
    #expect(kinds(try await world.receive(&receiver, from: lying)) == [.swappedBody, .absentBody])
    lying.replaced = [key: foreign[4].bytes]
    receiver = try world.receiver()
    #expect(kinds(try await world.receive(&receiver, from: lying)) == [.otherSpace])
    lying.replaced = [:]
    #expect(try await world.receive(&receiver, from: lying).isEmpty)
    #expect(receiver.logs[world.kitchen.id]?.last == 5)
  }

  @Test func testWithheldMemberRecord_IsNamed_AndRepairedByAnyMember() async throws {
    var world = try await TestSpace()
    let gymID = world.gym.id
    try await world.change { changes throws(MembershipFailure) in try changes.remove(gymID, lastSequence: 0) }
    try await world.change { changes throws(MembershipFailure) in try changes.newEpoch() }
    try await world.write(3, by: world.kitchen)
    // The store withholds both records from the laptop.
    var lying = LyingStore(world.store)
    let records = StoreLog(space: world.space, station: world.kitchen.id, kind: .members)
    lying.denied = [StoreKey(log: records, sequence: 4), StoreKey(log: records, sequence: 5)]
    let reader = StoreReader(lying, space: world.space)
    var receiver = try world.receiver(records: try await reader.memberRecords())
    #expect(kinds(try await world.receive(&receiver, from: lying)) == [.unknownEpoch])
    // Only the removal: the record of the epoch names it.
    lying.denied = [StoreKey(log: records, sequence: 4)]
    let partial = try await StoreReader(lying, space: world.space).memberRecords()
    #expect(try Membership(space: world.space, records: partial).missing == [world.records[3].digest])
    // Another member passes the records on.
    let own = StoreLog(space: world.space, station: world.laptop.id, kind: .members)
    for (number, record) in world.records.enumerated() {
      _ = try await world.store.putIfAbsent(record.bytes, at: StoreKey(log: own, sequence: UInt64(number) + 1))
    }
    let all = try await StoreReader(lying, space: world.space).memberRecords()
    try receiver.update(Membership(space: world.space, records: all))
    var chunks: [ReceivedChunk] = []
    try await StoreReader(lying, space: world.space).receive(from: world.kitchen.id, into: &receiver) { received, _ in
      chunks += received.chunks
      #expect(received.findings.isEmpty)
    }
    #expect(chunks.map(\.header.sequence) == [1, 2, 3])
  }

  @Test func testWithheldMemberRecord_InOldEpoch_IsNamedByChunk() async throws {
    var world = try await TestSpace()
    let before = world.records
    let sensor = try StationKeys()
    try await world.change { changes throws(MembershipFailure) in try changes.add(sensor.identity, role: .sensor) }
    try await world.write(1, by: world.kitchen)
    var receiver = try world.receiver(records: before)
    let findings = try await world.receive(&receiver, from: world.store)
    #expect(kinds(findings) == [.withheldMembers] && findings[0].witness == world.kitchen.id)
  }

  @Test func testRemovedStationThatGoesOn_IsNamed() async throws {
    var world = try await TestSpace()
    let gym = world.gym
    try await world.write(2, by: gym)
    try await world.change { changes throws(MembershipFailure) in try changes.remove(gym.id, lastSequence: 2) }
    try await world.write(3, by: gym)
    var receiver = try world.receiver()
    let findings = try await world.receive(&receiver, from: world.store)
    #expect(kinds(findings) == [.removedStation] && findings[0].sequences == range(3...5))
    #expect(receiver.logs[gym.id]?.last == 2)
  }

  @Test func testUnknownKindAndUndecryptable_AreCounted_NotFatal() async throws {
    var world = try await TestSpace()
    try await world.write(1, by: world.kitchen, kind: .unknown(99))
    var writer = try #require(world.writers[world.kitchen.id])
    // Sealed to a wrong key of the same number.
    let wrong = try writer.append(
      Chunk(kind: .stress, sealed: WallTime(microseconds: 0), payload: []), to: EpochKey(epoch: 1).publicKey,
      by: world.kitchen)
    _ = try await world.store.putIfAbsent(wrong.bytes, at: world.key(world.kitchen, 2))
    var receiver = try world.receiver()
    var unknown = 0
    var found: [LogFinding.Kind] = []
    try await StoreReader(world.store, space: world.space).receive(from: world.kitchen.id, into: &receiver) {
      received, _ in
      unknown += received.unknownKindCount
      found += kinds(received.findings)
    }
    #expect(unknown == 1 && found == [.unreadable] && receiver.logs[world.kitchen.id]?.last == 2)
  }

  @Test func testReset_ChunksOfEarlierGeneration_AreNotRead() async throws {
    var world = try await TestSpace()
    try await world.write(3, by: world.kitchen)
    try await world.change { changes throws(MembershipFailure) in try changes.reset() }
    for sequence in 1...2 as ClosedRange<UInt64> {
      await world.store.delete(world.key(world.kitchen, sequence), keeping: EnvelopeHeader.byteCount)
    }
    try await world.write(1, by: world.kitchen)
    var receiver = try world.receiver()
    var (read, earlier) = (0, 0)
    try await StoreReader(world.store, space: world.space).receive(from: world.kitchen.id, into: &receiver) {
      received, _ in
      read += received.chunks.count
      earlier += received.earlierGenerationCount
      #expect(received.findings.isEmpty)
    }
    #expect(read == 1 && earlier == 1 && receiver.findings.isEmpty)
  }

  @Test func testStore_ContainsNoPlaintext() async throws {
    var world = try await TestSpace()
    let ledger = try LedgerChunkCodec.encode(SimulatedLedger(duration: 60).chunk())
    try await world.write(1, by: world.kitchen, kind: .ledger, payload: ledger)
    let edit = Edit(
      target: EditTarget(kind: .person, id: "planted-identifier"), change: .set(.name, "Planted Name"),
      time: HybridTime(wall: WallTime(microseconds: 0), counter: 0, station: world.kitchen.id))
    let edits = try EditChunkCodec.encode(EditChunk(edits: [edit]))
    try await world.write(1, by: world.kitchen, kind: .edit, payload: edits)
    let secrets = [ledger, Array("planted-identifier".utf8), Array("Planted Name".utf8)]
    for log in await world.store.logs(of: world.space) {
      for sequence in await world.store.list(log, after: 0, limit: .max).sequences {
        let bytes = try #require(await world.store.get(StoreKey(log: log, sequence: sequence)))
        let runs = Set((0...(bytes.count - 8)).map { Array(bytes[$0..<($0 + 8)]) })
        for secret in secrets {
          #expect((0...(secret.count - 8)).allSatisfy { !runs.contains(Array(secret[$0..<($0 + 8)])) })
        }
      }
    }
  }
}
