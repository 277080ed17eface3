import TachogramCore
import Testing

@testable import Sync

@Suite("Edits")
struct EditTests {
  private let stations = (0..<3).map { StationID(digest: ContentDigest(of: [$0])) }
  private let session = EditTarget(kind: .session, id: "s1")
  private let day: Int64 = 86_400_000_000
  private let now = WallTime(microseconds: 1_774_746_000_000_000)

  private func time(_ offset: Int64, _ station: Int = 0, counter: UInt32 = 0) -> HybridTime {
    HybridTime(wall: now.advanced(byMicroseconds: offset), counter: counter, station: stations[station])
  }

  private func label(_ value: String?, _ time: HybridTime) -> Edit {
    Edit(target: session, change: .set(.name, value), time: time)
  }

  // MARK: - Clock

  @Test func testClock_Increases_WhenCivilTimeStepsBack() {
    var clock = HybridClock(station: stations[0])
    var last = clock.next(at: now)
    for step in [0, -day * 9000, 5, 0, -1, 7 * day] {
      let next = clock.next(at: now.advanced(byMicroseconds: step))
      #expect(next > last)
      last = next
    }
  }

  @Test func testClock_AfterObserving_IsLater() {
    var clock = HybridClock(station: stations[0])
    // A station whose clock is at 1970 observes a value within a day.
    let seen = time(day, 1, counter: UInt32.max)
    clock.observe(seen)
    let next = clock.next(at: WallTime(microseconds: 0))
    #expect(next > seen && next.counter == 0)
    clock.observe(time(0, 1))
    #expect(clock.next(at: WallTime(microseconds: 0)) > next)
  }

  // MARK: - Values

  @Test func testTwoStationsRenameAtOnce_LaterWins_LosingIsKept() {
    var book = EditBook()
    let (one, two) = (label("Run", time(1, 0)), label("Ride", time(1, 1)))
    let (winner, loser) = one.time > two.time ? (one, two) : (two, one)
    #expect(book.add(loser, at: now, isClockSynchronised: true) == .applied)
    #expect(book.add(winner, at: now, isClockSynchronised: true) == .applied)
    #expect(book.add(loser, at: now, isClockSynchronised: true) == .known)
    #expect(book.history(.name, of: session)?.winner == winner)
    #expect(book.history(.name, of: session)?.losing == [loser])
    #expect(book.add(label("Old", time(0)), at: now, isClockSynchronised: true) == .lost)
    #expect(book.value(.note, of: session) == nil)
  }

  @Test func testDeletion_BeatsEveryEdit_InAnyOrder() {
    let deletion = Edit(target: session, change: .delete, time: time(-900 * day))
    var book = EditBook()
    book.add(label("Late", time(5)), at: now, isClockSynchronised: true)
    book.add(label("Future", time(9 * day)), at: now, isClockSynchronised: true)
    #expect(book.add(deletion, at: now, isClockSynchronised: true) == .applied)
    #expect(book.add(label("Later", time(6)), at: now, isClockSynchronised: true) == .targetDeleted)
    #expect(book.value(.name, of: session) == nil && book.deleted[session] == deletion.time)
    #expect(book.quarantined.isEmpty)
  }

  @Test func testEdits_InAnyOrder_GiveTheSameBook() {
    var random = TestRandom(seed: 1)
    for _ in 0..<200 {
      let edits = (0..<40).map { _ in
        let target = EditTarget(kind: .session, id: "s\(Int.random(in: 0..<4, using: &random))")
        let time = time(
          Int64.random(in: 0..<6, using: &random), Int.random(in: 0..<3, using: &random),
          counter: UInt32.random(in: 0..<2, using: &random))
        let value = ["a", "b", "", nil].randomElement(using: &random) ?? nil
        let change: Edit.Change =
          Int.random(in: 0..<30, using: &random) == 0
          ? .delete : .set(Bool.random(using: &random) ? .name : .note, value)
        return Edit(target: target, change: change, time: time)
      }
      var books: [EditBook] = []
      for _ in 0..<3 {
        var book = EditBook()
        for edit in edits.shuffled(using: &random) { book.add(edit, at: now, isClockSynchronised: true) }
        books.append(book)
      }
      #expect(books[0] == books[1] && books[1] == books[2])
    }
  }

  // MARK: - Wrong clocks

  @Test func testValueFromFarAhead_IsQuarantined_UntilItsTime() {
    var book = EditBook()
    let future = label("Future", time(day + 1, 1))
    #expect(book.add(future, at: now, isClockSynchronised: true) == .quarantined)
    #expect(book.add(label("Now", time(day, 0)), at: now, isClockSynchronised: true) == .applied)
    #expect(book.quarantined == [future] && book.value(.name, of: session) == "Now")
    #expect(book.review(at: now.advanced(byMicroseconds: 1), isClockSynchronised: true) == [future])
    #expect(book.quarantined.isEmpty && book.value(.name, of: session) == "Future")
  }

  @Test func testOwnClockNotSynchronised_QuarantinesNothing_AndReviewsLater() {
    var book = EditBook()
    let boot = WallTime(microseconds: 0)
    let (edit, future) = (label("Right", time(0, 1)), label("TenYears", time(3650 * day, 2)))
    #expect(book.add(edit, at: boot, isClockSynchronised: false) == .applied)
    #expect(book.add(future, at: boot, isClockSynchronised: false) == .applied)
    #expect(book.review(at: now, isClockSynchronised: true).isEmpty)
    #expect(book.value(.name, of: session) == "Right" && book.quarantined == [future])
  }

  // MARK: - Chunks

  @Test func testChunk_RoundTrip() throws {
    let kinds = [1, 2, 3, 4, 5, 0, 200].map(EditTarget.Kind.init(number:))
    #expect(kinds.map(\.number) == [1, 2, 3, 4, 5, 0, 200])
    let changes: [Edit.Change] = [.delete, .set(.note, nil), .set(.owner, "Ädä"), .set(.unknown(77), "x")]
    let edits = kinds.flatMap { kind in
      changes.map { Edit(target: EditTarget(kind: kind, id: "ü"), change: $0, time: time(-5, 2, counter: UInt32.max)) }
    }
    let chunk = EditChunk(edits: edits, deletedBodies: SequenceRanges([3...9, 12...12]))
    #expect(try EditChunkCodec.decode(EditChunkCodec.encode(chunk), author: stations[2]) == chunk)
  }

  @Test func testChunk_BeyondLimits_IsRefused() throws {
    let text = String(repeating: "x", count: 16_385)
    #expect(throws: ChunkFailure.tooLarge(field: "text", limit: 16_384)) {
      try EditChunkCodec.encode(EditChunk(edits: [label(text, time(0))]))
    }
    let edits = Array(repeating: label("x", time(0)), count: 4097)
    #expect(throws: ChunkFailure.tooLarge(field: "edits", limit: 4096)) {
      try EditChunkCodec.encode(EditChunk(edits: edits))
    }
  }

  @Test func testChunk_RandomMutations_NeverTrap() throws {
    var random = TestRandom(seed: 2)
    let bytes = try EditChunkCodec.encode(
      EditChunk(edits: [label("Run", time(0)), label(nil, time(1))], deletedBodies: SequenceRanges([1...2])))
    for _ in 0..<20_000 {
      let mutated = random.mutated(bytes)
      guard let chunk = try? EditChunkCodec.decode(mutated, author: stations[0]) else { continue }
      #expect(try EditChunkCodec.decode(EditChunkCodec.encode(chunk), author: stations[0]) == chunk)
    }
  }
}
