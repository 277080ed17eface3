import Recording
import Repository
import TachogramCore
import TachogramTestKit
import Testing

/// Recordings on a disk that is nearly full: the ledger is stored alone, and what derives from it when there is space again.
@Suite("The ledger alone")
struct LedgerAloneTests {
  private let database: TachogramDatabase
  private let repository: SessionRepository
  private var bench: RecorderBench

  init() throws {
    database = try TachogramDatabase.inMemory()
    repository = SessionRepository(database: database)
    bench = RecorderBench(database: database, options: LiveOptions(resumes: true), clock: ManualTimeSource())
  }

  private func session() throws -> SessionRecord { try #require(try repository.sessions().first) }

  private func stored() throws -> StoredSession {
    try StoredSession(session().description.id, in: database)
  }

  private static func script(_ count: Int) -> EventScript {
    var script = EventScript()
    script.up()
    script.notify(count)
    return script
  }

  @Test func testSpaceThatComesBack_GivesAllThatWasPending() async throws {
    var (bench, script) = (bench, Self.script(400))
    await bench.hear(script.events[..<102])
    await bench.pass(seconds: 1)
    #expect(try session().beatCount > 90)
    // When
    await bench.recorder.keepLedgerAlone(true)
    await bench.hear(script.events[102..<302])
    await bench.pass(seconds: 1)
    #expect(try session().entryCount == 300)
    #expect(try session().beatCount <= 100)
    await bench.recorder.keepLedgerAlone(false)
    await bench.hear(script.events[302..<352])
    await bench.pass(seconds: 1)
    // Then
    #expect(try session().beatCount > 340)
    #expect(try stored().contradiction() == nil)
    #expect(try !repository.windows(of: session().description.id).isEmpty)
    script.add(.linkDown(reason: 0x13))
    await bench.hear(script.events[352...])
    #expect(try await bench.end().count == 1)
    #expect(try session().isComplete)
    #expect(try session().beatCount == 400)
    #expect(try stored().contradiction() == nil)
  }

  @Test func testSpaceThatComesBackAtTheEnd_GivesTheEndToo() async throws {
    var bench = bench
    await bench.recorder.keepLedgerAlone(true)
    await bench.hear(Self.script(200).events)
    await bench.pass(seconds: 1)
    #expect(try session().beatCount == 0)
    await bench.recorder.keepLedgerAlone(false)
    _ = try await bench.end()
    #expect(try session().isComplete)
    #expect(try session().beatCount == 200)
    #expect(try stored().contradiction() == nil)
  }

  @Test func testSessionThatIsOver_IsEndedWhenThereIsSpace() async throws {
    var (bench, script) = (bench, Self.script(200))
    script.add(.dismissed)
    await bench.recorder.keepLedgerAlone(true)
    await bench.hear(script.events)
    var other = EventScript(strap: 1)
    other.up()
    other.notify(10)
    await bench.hear(other.events)
    await bench.pass(seconds: 1)
    await bench.pass(seconds: 1)
    #expect(try repository.sessions().map(\.entryCount).sorted() == [10, 200])
    #expect(try repository.sessions().allSatisfy { !$0.isComplete && $0.beatCount == 0 })
    await bench.recorder.keepLedgerAlone(false)
    await bench.pass(seconds: 1)
    let ended = try #require(try repository.sessions().first(where: \.isComplete))
    #expect(ended.beatCount == 200)
    #expect(try StoredSession(ended.description.id, in: database).contradiction() == nil)
    #expect(try await bench.end().count == 1)
    #expect(try repository.sessions().allSatisfy(\.isComplete))
  }

  @Test func testRecordingThatEndsWithoutSpace_IsSettledLater() async throws {
    var bench = bench
    await bench.recorder.keepLedgerAlone(true)
    await bench.hear(Self.script(200).events)
    #expect(try await bench.end().count == 1)
    #expect(try !session().isComplete)
    #expect(try session().entryCount == 200)
    #expect(try session().beatCount == 0)
    let pending = PendingDerivations(database: database)
    let (id, end, hour) = (try session().description.id, try session().end, Int64(3_600_000_000))
    // A recording may go on with it.
    #expect(try pending.next(at: end.advanced(byMicroseconds: hour), except: []) == nil)
    let later = end.advanced(byMicroseconds: hour + 1)
    #expect(try pending.next(at: later, except: [id]) == nil)
    #expect(try pending.next(at: later, except: []) == id)
    try pending.derive(id)
    #expect(try session().isComplete)
    #expect(try stored().contradiction() == nil)
    #expect(try session().beatCount == 200)
    #expect(try pending.next(at: later, except: []) == nil)
  }

  /// However little it is, and whether its beats or only what its end decides.
  @Test(arguments: [1, 2, 30, 61])
  func testFewPendingRows_AreNoted(count: Int) async throws {
    var bench = bench
    let script = Self.script(count)
    await bench.hear(script.events)
    await bench.pass(seconds: 1)
    await bench.recorder.keepLedgerAlone(true)
    _ = try await bench.end()
    #expect(try session().isComplete == repository.pendingDerivations().isEmpty)
    let pending = PendingDerivations(database: database)
    if let id = try pending.next(at: WallTime(microseconds: .max), except: []) { try pending.derive(id) }
    #expect(try session().isComplete)
    #expect(try stored().contradiction() == nil)
  }

  @Test func testSessionThatWasDeleted_DoesNotComeBack() async throws {
    var bench = bench
    await bench.recorder.keepLedgerAlone(true)
    await bench.hear(Self.script(10).events)
    _ = try await bench.end()
    let id = try session().description.id
    var selection = SessionSelection()
    selection.session = id
    try DeletionRepository(database: database).delete(selection)
    try PendingDerivations(database: database).derive(id)
    #expect(try repository.sessions().isEmpty)
    #expect(throws: RepositoryError.sessionNotFound(prefix: id)) {
      try repository.derive(SessionBatch(), of: id, isOver: true)
    }
  }

  @Test func testRecordingThatGoesOn_HasAllOfBoth() async throws {
    var bench = bench
    await bench.recorder.keepLedgerAlone(true)
    var script = Self.script(200)
    await bench.hear(script.events)
    _ = try await bench.end()
    script.restart(seconds: 20)
    script.up()
    script.notify(100)
    var next = RecorderBench(database: database, options: LiveOptions(resumes: true), clock: ManualTimeSource())
    await next.hear(script.events)
    _ = try await next.end()
    #expect(try repository.sessions().count == 1)
    #expect(try session().entryCount == 300)
    #expect(try stored().contradiction() == nil)
  }
}
