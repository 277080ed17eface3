import Recording
import Repository
import TachogramCore
import TachogramTestKit
import Testing

/// Somebody deletes or takes over the session that is being recorded: what is heard from then on is another one.
@Suite("Sessions that are replaced while they are recorded")
struct ReplacedSessionTests {
  private let database: TachogramDatabase
  private var bench: RecorderBench
  private var script = EventScript()
  private var told = 0

  init() throws {
    database = try .inMemory()
    bench = Self.bench(database, endAfter: nil)
  }

  private static func bench(_ database: TachogramDatabase, endAfter: Duration?) -> RecorderBench {
    RecorderBench(
      database: database, options: LiveOptions(person: "anna", endAfter: endAfter, resumes: true),
      // The monotonic axis of the script.
      clock: ManualTimeSource(epoch: 100_000_000_000_000))
  }

  /// Lets the strap say what the script has of it since the last call, and lets it be stored.
  private mutating func say(_ body: (inout EventScript) -> Void) async {
    body(&script)
    await bench.hear(script.events[told...])
    told = script.events.count
    await bench.pass(seconds: 2)
  }

  /// The sessions, the first one first, with what was said in each.
  private func sessions() throws -> [(record: SessionRecord, contents: [LedgerEntry.Content])] {
    let repository = SessionRepository(database: database)
    return try repository.sessions().sorted { $0.description.start < $1.description.start }.map { record in
      (record, try StoredSession(record.description.id, in: database).entries.map(\.content))
    }
  }

  private func said(_ range: Range<Int>) -> [LedgerEntry.Content] {
    let all = script.events.compactMap { event -> LedgerEntry.Content? in
      if case .notification(let value) = event.content { .notification(value) } else { nil }
    }
    return Array(all[range])
  }

  @Test mutating func testSessionThatIsDeleted_IsFollowedByAnother() async throws {
    await say {
      $0.up()
      $0.notify(5)
    }
    #expect(try sessions().map(\.contents.count) == [5])
    try DeletionRepository(database: database).delete(SessionSelection())
    await say { $0.notify(7) }
    await say { $0.notify(3) }
    _ = try await bench.end()
    let left = try sessions()
    #expect(left.map(\.contents) == [said(5..<15)])
    #expect(left.first?.record.isComplete == true)
    #expect(left.first?.record.description.person == "anna")
    #expect(left.first?.record.beatCount == 10)
  }

  /// As when a recording without the lock is resumed by a station that starts.
  @Test mutating func testSessionThatAnotherRecorderGoesOnWith_IsFollowedByAnother() async throws {
    await say {
      $0.up()
      $0.notify(5)
    }
    let first = try #require(try sessions().first)
    var entry = try #require(try StoredSession(first.record.description.id, in: database).entries.last)
    entry.sequence += 1
    entry.monotonic = entry.monotonic.advanced(byMicroseconds: 1_000_000)
    var batch = SessionBatch()
    batch.entries = [entry]
    try SessionRepository(database: database).append(batch, to: first.record.description.id)
    await say { $0.notify(4) }
    await say { $0.notify(2) }
    _ = try await bench.end()
    let left = try sessions()
    #expect(left.map(\.contents.count) == [6, 6])
    #expect(left.last?.contents == said(5..<11))
    #expect(left.last?.record.isComplete == true)
  }

  /// One that ends, and cannot be stored as it is, holds up no other.
  @Test mutating func testSessionThatEndsInConflict_HoldsUpNoOther() async throws {
    _ = try await bench.end()
    bench = Self.bench(database, endAfter: .seconds(60))
    var other = EventScript(strap: 1)
    other.up()
    other.notify(9)
    await bench.hear(other.events)
    await say {
      $0.up()
      $0.notify(5)
    }
    let first = try #require(try sessions().first { $0.contents.count == 5 })
    var entry = try #require(try StoredSession(first.record.description.id, in: database).entries.last)
    entry.sequence += 1
    entry.content = .linkDown(reason: 0x13)
    var batch = SessionBatch()
    batch.entries = [entry]
    try SessionRepository(database: database).append(batch, to: first.record.description.id)
    script.notify(4)
    await bench.hear(script.events[told...])
    // Both were silent for long.
    await bench.pass(seconds: 100)
    for _ in 0..<3 { await bench.pass(seconds: 2) }
    let left = try sessions()
    #expect(left.map(\.contents.count).sorted() == [4, 6, 9])
    #expect(left.first { $0.contents.count == 9 }?.record.isComplete == true)
    #expect(left.first { $0.contents.count == 4 }?.record.isComplete == true)
    _ = try? await bench.end()
  }
}
