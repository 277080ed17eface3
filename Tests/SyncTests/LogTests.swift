import TachogramCore
import Testing

@testable import Sync

@Suite("Logs")
struct LogTests {
  private let keys: StationKeys
  private let epoch = EpochKey(epoch: 1)
  private let space = SpaceID(digest: ContentDigest(of: [1]))
  private let verifier: LogVerifier

  init() throws {
    keys = try StationKeys()
    verifier = LogVerifier(space: space, author: keys.identity)
  }

  private func envelopes(
    _ count: Int, after head: LogHead? = nil, content: UInt8 = 0, space: SpaceID? = nil, keys: StationKeys? = nil
  ) throws -> [Envelope] {
    var writer = LogWriter(space: space ?? self.space, head: head)
    return try (0..<count).map { number in
      let chunk = Chunk(
        kind: .edit, sealed: WallTime(microseconds: Int64(number) * 86_400_000_000),
        payload: [content, UInt8(truncatingIfNeeded: number)])
      return try writer.append(chunk, to: epoch.publicKey, by: keys ?? self.keys)
    }
  }

  private func stored(_ envelopes: [Envelope]) -> [StoredChunk] {
    envelopes.map { StoredChunk(sequence: $0.header.sequence, bytes: $0.bytes) }
  }

  private func head(_ envelope: Envelope) -> LogHead {
    LogHead(station: keys.id, sequence: envelope.header.sequence, digest: envelope.header.digest)
  }

  private func log(_ envelopes: [Envelope]) -> VerifiedLog {
    var log = VerifiedLog(station: keys.id)
    let result = verifier.verify(stored(envelopes), isWhole: true, into: &log)
    #expect(result.findings.isEmpty && log.findings.isEmpty)
    return log
  }

  private func range(_ range: ClosedRange<UInt64>) -> SequenceRanges { SequenceRanges([range]) }

  // MARK: - A truthful store

  @Test func testLog_InAnyOrderWithCopiesAndDeletedBodies_IsAccepted() throws {
    var random = TestRandom(seed: 1)
    let all = try envelopes(20).map { $0.header.sequence % 3 == 0 ? $0.withoutBody : $0 }
    for _ in 0..<20 {
      var log = VerifiedLog(station: keys.id)
      let chunks = (stored(all) + stored(Array(all.prefix(5)))).shuffled(using: &random)
      let result = verifier.verify(chunks, isWhole: true, into: &log)
      #expect(log.findings.map(\.kind) == [.absentBody] && log.absentBodies.count == 6)
      log.addDeletedBodies(SequenceRanges(numbers: stride(from: 3, through: 18, by: 3)))
      #expect(result.findings.isEmpty && log.findings.isEmpty)
      #expect(result.accepted == all)
      #expect(log.head == all.last.map(head))
    }
  }

  @Test func testLog_InParts_ContinuesFromItsHead() throws {
    let all = try envelopes(10)
    var log = log(Array(all.prefix(4)))
    #expect(log.listingStart == 3)
    let result = verifier.verify(stored(Array(all.dropFirst(3))), isWhole: true, into: &log)
    #expect(result.accepted == Array(all.dropFirst(4)))
    #expect(result.findings.isEmpty && log.findings.isEmpty)
  }

  // MARK: - Lies

  @Test func testGap_IsNamedWithCountAndDate() throws {
    let all = try envelopes(20)
    var log = VerifiedLog(station: keys.id)
    let result = verifier.verify(stored(Array(all.prefix(5) + all.suffix(1))), isWhole: true, into: &log)
    #expect(result.findings.isEmpty)
    log.setSealed(try #require(Timestamp.time("2026-03-29T10:00:00Z")), of: 5)
    let finding = try #require(log.findings.first)
    #expect(finding.kind == .missing && finding.sequences == range(6...19))
    #expect(LogFindingText(finding) { _ in "kitchen" }.text == "14 chunks of kitchen are missing since 2026-03-29")
    // The missing chunks close the gap.
    _ = verifier.verify(stored(all), isWhole: true, into: &log)
    #expect(log.findings.isEmpty)
  }

  @Test func testRollback_IsNamed_AndAcceptedByPerson() throws {
    let all = try envelopes(10)
    var log = log(all)
    // Only the head itself is listed again in regular listings.
    let result = verifier.verify([], isWhole: true, into: &log)
    #expect(result.findings.map(\.kind) == [.rolledBack])
    #expect(result.findings[0].sequences == range(10...10))
    log.acceptRestored(end: 6)
    let rewritten = try envelopes(3, after: head(all[5]), content: 1)
    let next = verifier.verify(stored([all[5]] + rewritten), isWhole: true, into: &log)
    #expect(next.findings.isEmpty && log.findings.isEmpty && next.accepted == rewritten)
  }

  @Test func testAcceptRestored_ForgetsWhatOthersHaveSeenOfLaterChunks() throws {
    let all = try envelopes(6)
    var log = log(all)
    log.pin(head(all[5]), by: try StationKeys().id)
    log.acceptRestored(end: 4)
    #expect(log.findings.isEmpty && log.last == 4)
    let rewritten = try envelopes(2, after: head(all[3]), content: 7)
    _ = verifier.verify(stored(rewritten), isWhole: false, into: &log)
    #expect(log.findings.isEmpty && log.last == 6)
  }

  @Test func testFork_OfSamePlaceOrPredecessor_IsNamed() throws {
    let all = try envelopes(6)
    let other = try envelopes(4, after: head(all[1]), content: 9)
    var log = log(Array(all.prefix(4)))
    #expect(verifier.verify(stored([other[1]]), isWhole: false, into: &log).findings.map(\.kind) == [.forked])
    #expect(verifier.verify(stored([other[2]]), isWhole: false, into: &log).findings.map(\.kind) == [.forked])
    #expect(log.head == head(all[3]))
  }

  @Test func testFork_SeenByOther_IsNamed() throws {
    let (all, other) = (try envelopes(4), try envelopes(4, content: 9))
    let witness = try StationKeys().id
    var log = log(all)
    log.pin(head(other[2]), by: witness)
    #expect(log.findings == [LogFinding(.forked, of: keys.id, range(3...3), witness: witness)])
  }

  @Test func testHeadSeenByOther_WithoutItsChunks_IsWithheld() throws {
    let all = try envelopes(9)
    let witness = try StationKeys().id
    var log = log(Array(all.prefix(4)))
    log.pin(head(all[8]), by: witness)
    log.pin(head(all[6]), by: witness)
    #expect(log.findings == [LogFinding(.withheld, of: keys.id, range(5...9), witness: witness)])
    log.acceptMissing()
    #expect(log.findings.isEmpty)
  }

  @Test func testSwappedBody_IsNamed_AndChainContinues() throws {
    let all = try envelopes(4)
    var chunks = stored(all)
    chunks[1] = StoredChunk(sequence: 2, bytes: all[1].header.bytes + (all[2].body ?? []))
    var log = VerifiedLog(station: keys.id)
    let result = verifier.verify(chunks, isWhole: true, into: &log)
    #expect(result.findings == [LogFinding(.swappedBody, of: keys.id, range(2...2))])
    #expect(result.accepted.map(\.header.sequence) == [1, 3, 4] && log.head == head(all[3]))
    #expect(log.absentBodies == range(2...2))
    // A repaired store has the right body.
    #expect(verifier.verify(stored(all), isWhole: true, into: &log).accepted == [all[1]])
    #expect(log.findings.isEmpty)
  }

  @Test func testChunksOfOthers_AreNamed() throws {
    let all = try envelopes(2)
    let (forger, space) = (try StationKeys(), SpaceID(digest: ContentDigest(of: [2])))
    let forged = try envelopes(3, keys: forger)[2]
    var signedByOther = all[1].bytes
    signedByOther[200] ^= 1
    let cases: [(StoredChunk, LogFinding.Kind)] = [
      (StoredChunk(sequence: 3, bytes: forged.bytes), .misplaced),
      (StoredChunk(sequence: 3, bytes: all[1].bytes), .misplaced),
      (StoredChunk(sequence: 2, bytes: signedByOther), .wrongSignature),
      (StoredChunk(sequence: 2, bytes: try envelopes(2, space: space)[1].bytes), .otherSpace),
      (StoredChunk(sequence: 2, bytes: all[1].bytes.dropLast()), .damaged),
    ]
    for (chunk, kind) in cases {
      var log = log(Array(all.prefix(1)))
      let result = verifier.verify([chunk], isWhole: false, into: &log)
      #expect(result.findings.map(\.kind) == [kind] && result.accepted.isEmpty && log.last == 1)
    }
    var log = VerifiedLog(station: forger.id)
    let result = LogVerifier(space: space, author: nil).verify(stored(all), isWhole: true, into: &log)
    #expect(result.findings == [LogFinding(.unknownStation, of: forger.id, range(1...2))])
  }

  @Test func testFarSequence_NeedsNoMemory() throws {
    var writer = LogWriter(
      space: space, head: LogHead(station: keys.id, sequence: UInt64(Int64.max) - 3, digest: ContentDigest(of: [])))
    let far = try writer.append(
      Chunk(kind: .edit, sealed: WallTime(microseconds: 0), payload: []), to: epoch.publicKey, by: keys)
    var log = VerifiedLog(station: keys.id)
    _ = verifier.verify(stored([far]), isWhole: true, into: &log)
    #expect(log.findings.first?.sequences.count == UInt64(Int64.max) - 3)
  }

  @Test func testTexts_OfAllKinds_AreDistinct() throws {
    let texts = LogFinding.Kind.allCases.map { kind in
      LogFindingText(LogFinding(kind, of: keys.id, range(3...3), witness: keys.id)) { _ in "gym" }
    }
    #expect(Set(texts.map(\.text)).count == LogFinding.Kind.allCases.count)
    #expect(texts.allSatisfy { !$0.advice.isEmpty })
  }

  // MARK: - The own log

  @Test func testOwnLog_States() throws {
    let all = try envelopes(6)
    let copy = try envelopes(3, after: head(all[3]), content: 5)
    func state(_ own: LogHead?, _ stored: [Envelope]) -> OwnLogState {
      var log = VerifiedLog(station: keys.id)
      _ = verifier.verify(self.stored(stored), isWhole: true, into: &log)
      return OwnLogState(own: own, stored: log)
    }
    #expect(state(nil, []) == .current)
    #expect(state(head(all[5]), all) == .current)
    #expect(state(head(all[5]), Array(all.prefix(2))) == .storeLacks(range(3...6)))
    #expect(state(head(all[5]), [all[0], all[5]]) == .storeLacks(range(2...5)))
    #expect(state(head(all[3]), all) == .continueAfter(head(all[5])))
    #expect(state(nil, all) == .continueAfter(head(all[5])))
    #expect(state(head(copy[0]), all) == .copied(sequence: 5))
    #expect(state(head(all[4]), Array(all.prefix(4)) + copy) == .copied(sequence: 5))
  }

  @Test func testRanges_MatchSets() {
    var random = TestRandom(seed: 2)
    for _ in 0..<500 {
      let sets = (0..<2).map { _ in Set((0..<8).map { _ in UInt64.random(in: 1...20, using: &random) }) }
      let ranges = sets.map { SequenceRanges(numbers: $0) }
      #expect(ranges[0].count == UInt64(sets[0].count))
      #expect(ranges[0].union(ranges[1]) == SequenceRanges(numbers: sets[0].union(sets[1])))
      #expect(ranges[0].subtracting(ranges[1]) == SequenceRanges(numbers: sets[0].subtracting(sets[1])))
      #expect((1...20).allSatisfy { ranges[0].contains($0) == sets[0].contains($0) })
    }
  }
}
