import Foundation
import Pipeline
import Recording
import Repository
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

/// Recordings that go on with a session that was cut off.
struct ResumedSessionTests {
  private let database: TachogramDatabase
  private let repository: SessionRepository

  init() throws {
    database = try TachogramDatabase.inMemory()
    repository = SessionRepository(database: database)
  }

  private func record(
    _ events: [StrapEvent], _ options: LiveOptions = LiveOptions(resumes: true)
  ) async throws -> String {
    let recorder = LiveRecorder(
      source: ScriptedSource(events), options: options, time: ScaledTimeSource(factor: 1), database: database,
      observe: { _ in })
    return try #require(try await recorder.run().first?.report.session.id)
  }

  /// Leaves a session as a power cut does: not ended; and, at the worst, with nothing that derives from it.
  private func cutOff(_ session: String) throws {
    try repository.begin(try repository.session(matching: session).description)
  }

  private func entries(_ session: String) throws -> [LedgerEntry] {
    var entries: [LedgerEntry] = []
    try repository.forEachEntry(of: session) { entries += $0 }
    return entries
  }

  private func beats(_ session: String) throws -> [Beat] {
    var beats: [Beat] = []
    try repository.forEachBeat(of: session) { beats += $0 }
    return beats
  }

  @Test func testPowerCut_GoesOnWithAGap() async throws {
    // Given
    var script = EventScript()
    script.up()
    script.notify(100)
    let first = try await record(script.events)
    try cutOff(first)
    // When
    script.reboot("another", seconds: 50)
    script.up()
    script.notify(100)
    let second = try await record(script.events)
    // Then
    #expect(second == first)
    #expect(try repository.sessions().count == 1)
    let record = try repository.session(matching: first)
    #expect(record.isComplete)
    let entries = try entries(first)
    #expect(entries.map(\.sequence) == Array(0..<200))
    #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.monotonic < $1.monotonic })
    #expect(entries[100].monotonic.microseconds(since: entries[99].monotonic) == 51_000_000)
    #expect(try repository.links(of: first).map(\.bootID) == ["boot", "another"])
    let gaps = try repository.gaps(of: first)
    #expect(gaps.count == 1)
    #expect(abs(Double(gaps[0].microseconds) / 1e6 - 50) < 1.1)
    #expect(try beats(first).count == 200)
    // What a replay of the ledger derives is what is stored.
    var deriver = SessionDeriver(
      record.description, baseline: .default(kind: .sdnn, lastUpdated: Date(timeIntervalSince1970: 0)))
    deriver.ingest(entries)
    deriver.finish()
    let derived = deriver.drainRows()
    #expect(try beats(first) == derived.beats)
    #expect(try repository.windows(of: first) == derived.windows)
  }

  @Test func testProgramThatDied_KeepsTheAxis() async throws {
    var script = EventScript()
    script.up()
    script.notify(20)
    let first = try await record(script.events)
    try cutOff(first)
    script.restart(seconds: 7)
    script.up()
    script.notify(20)
    #expect(try await record(script.events) == first)
    let entries = try entries(first)
    #expect(entries.count == 40)
    #expect(entries[20].monotonic.microseconds(since: entries[19].monotonic) == 8_000_000)
  }

  /// A machine without a clock of its own wakes up in the past.
  @Test func testClockThatWentBack_StillGoesOn() async throws {
    var script = EventScript()
    script.up()
    script.notify(20)
    let first = try await record(script.events)
    try cutOff(first)
    script.reboot("another", seconds: -600)
    script.up()
    script.notify(20)
    #expect(try await record(script.events) == first)
    let entries = try entries(first)
    #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.monotonic < $1.monotonic })
    #expect(try beats(first).count == 40)
  }

  @Test func testWhatIsAnotherSession_IsBegun() async throws {
    var script = EventScript()
    script.up()
    script.notify(20)
    let first = try await record(script.events)
    func next(_ options: LiveOptions, after seconds: Int64 = 10) async throws -> String {
      var script = script
      script.reboot("another", seconds: seconds)
      script.up()
      script.notify(5)
      return try await record(script.events, options)
    }
    // One that was ended in order does not go on.
    #expect(try await next(LiveOptions(resumes: true)) != first)
    for session in try repository.sessions() { try cutOff(session.description.id) }
    #expect(try await next(LiveOptions(resumes: false), after: 20) != first)
    try cutOff(first)
    #expect(try await next(LiveOptions(person: "anna", resumes: true), after: 30) != first)
    #expect(try await next(LiveOptions(label: "night", resumes: true), after: 40) != first)
    #expect(try await next(LiveOptions(resumes: true), after: 5000) != first)
    #expect(try entries(first).count == 20)
  }
}
