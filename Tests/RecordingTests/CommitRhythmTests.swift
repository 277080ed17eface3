import Recording
import Repository
import TachogramCore
import TachogramTestKit
import Testing

/// What is stored when: the ledger with each commit, what derives from it once a minute, at the end and when somebody asks.
@Suite("The rhythm of commits")
struct CommitRhythmTests {
  private let database: TachogramDatabase
  private let repository: SessionRepository
  private let options = LiveOptions(commitInterval: .seconds(10), resumes: true)

  init() throws {
    database = try TachogramDatabase.inMemory()
    repository = SessionRepository(database: database)
  }

  private func bench() -> RecorderBench {
    RecorderBench(database: database, options: options, clock: ManualTimeSource())
  }

  private func session() throws -> SessionRecord { try #require(try repository.sessions().first) }

  private func needsDerivation() throws -> Bool { try !repository.pendingDerivations().isEmpty }

  private func expectSound() throws {
    #expect(try StoredSession(session().description.id, in: database).contradiction() == nil)
  }

  @Test func testLedgerIsStoredEachTime_AndTheRestOnceAMinute() async throws {
    var (bench, script) = (bench(), EventScript())
    script.up()
    var told = 0
    var beats: [Int64] = []
    for round in 1...14 {
      script.notify(10)
      await bench.hear(script.events[told...])
      told = script.events.count
      await bench.pass(seconds: 10)
      #expect(try session().entryCount == Int64(round) * 10)
      beats.append(try session().beatCount)
      #expect(try needsDerivation() == (beats.last != Int64(round) * 10))
    }
    #expect(Set(beats).count == 3, "\(beats)")
    _ = try await bench.end()
    #expect(try session().isComplete && session().beatCount == 140)
    #expect(try !needsDerivation())
    try expectSound()
  }

  @Test func testQuestion_HasAllStoredForAMinute() async throws {
    var (bench, script) = (bench(), EventScript())
    script.up()
    script.notify(10)
    await bench.hear(script.events)
    await bench.pass(seconds: 10)
    var told = script.events.count
    script.notify(10)
    await bench.hear(script.events[told...])
    told = script.events.count
    await bench.pass(seconds: 10)
    #expect(try session().beatCount == 10)
    await bench.recorder.commit()
    #expect(try session().beatCount == 20)
    #expect(try !needsDerivation())
    script.notify(10)
    await bench.hear(script.events[told...])
    // Not at once again, but with the next commit.
    await bench.recorder.commit()
    #expect(try session().entryCount == 20)
    await bench.pass(seconds: 10)
    #expect(try session().beatCount == 30)
    _ = try await bench.end()
    try expectSound()
  }

  /// A power cut between two of them: what derives from the ledger is noted to be missing, and a recording that goes on has it.
  @Test func testRecordingThatIsCutOff_LacksNothingWhenItGoesOn() async throws {
    var (bench, script) = (bench(), EventScript())
    script.up()
    for _ in 0..<3 {
      script.notify(10)
      let told = script.events.count
      await bench.hear(script.events[(told - (told > 12 ? 10 : told))...])
      await bench.pass(seconds: 10)
    }
    #expect(try session().entryCount == 30 && session().beatCount == 10)
    #expect(try needsDerivation())
    script.restart(seconds: 20)
    script.up()
    let before = script.events.count
    script.notify(10)
    var next = RecorderBench(database: database, options: options, clock: ManualTimeSource())
    await next.hear(script.events[(before - 2)...])
    await next.pass(seconds: 10)
    #expect(try repository.sessions().count == 1)
    #expect(try session().beatCount == 40)
    #expect(try !needsDerivation())
    _ = try await next.end()
    try expectSound()
  }

  /// A session that refuses its piece keeps no other from being stored.
  @Test func testSessionThatWasDeleted_CostsNoOther() async throws {
    var (bench, one, two) = (bench(), EventScript(strap: 0), EventScript(strap: 1))
    one.up()
    two.up()
    one.notify(5)
    two.notify(5)
    await bench.hear(one.events + two.events)
    await bench.pass(seconds: 10)
    let told = (one.events.count, two.events.count)
    let deleted = try #require(
      try repository.sessions().first { $0.description.strap.address.value & 0xF == 1 }?.description.id)
    var selection = SessionSelection()
    selection.session = deleted
    try DeletionRepository(database: database).delete(selection)
    one.notify(5)
    two.notify(5)
    await bench.hear(one.events[told.0...] + two.events[told.1...])
    await bench.pass(seconds: 10)
    await bench.pass(seconds: 10)
    #expect(try repository.sessions().map(\.entryCount).sorted() == [5, 10])
    #expect(try await bench.end().count == 2)
    #expect(try repository.sessions().allSatisfy(\.isComplete))
  }
}
