import Dashboard
import Foundation
import Presentation
import Recording
import Repository
import Synchronization
import TachogramCore
import TachogramTestKit
import Testing

@testable import Station

/// Readings of a session that a station records.
@Suite("Readings of the station", .timeLimit(.minutes(5)))
struct StationReadingsTests {
  private let database: TachogramDatabase
  private let clock = ManualTimeSource()

  init() throws {
    database = try .inMemory()
  }

  private func request(_ session: String, seconds: Int = 60) throws -> API.NewReading {
    let body = "{\"session\":\"\(session)\",\"kind\":\"morning\",\"seconds\":\(seconds)}"
    return try JSONDecoder().decode(API.NewReading.self, from: Data(body.utf8))
  }

  @Test func testSessionThatIsNotRecorded_IsRefused() async throws {
    let station = try await QuietStation(database, clock)
    let readings = station.backend.readings
    let id = "00000000-aaaa-8bbb-9ccc-ddddeeeeffff"
    let refusal = await #expect(throws: DashboardError.self) { try await readings.begin(request(id)) }
    #expect(refusal?.kind == .conflict)
    for ask in [
      { _ = try await readings.running(id) }, { try await readings.cancel(id) },
      { try await readings.delete(reading: id) },
    ] as [() async throws -> Void] {
      let missing = await #expect(throws: DashboardError.self) { try await ask() }
      #expect(missing?.kind == .notFound)
    }
    #expect(try await readings.readings(of: nil, kind: nil, limit: 1).readings.isEmpty)
  }

  /// The strap sends for three minutes; the measurement begins with the tenth notification.
  @Test func testMeasurement_IsThatOfItsTimeAndIsStored() async throws {
    let station = try await QuietStation(database, clock)
    let entries = Array(CaptureBuilder.entries(SimulatedStrap().notifications()).prefix(180))
    let session = CaptureBuilder.session(entries, strap: CaptureBuilder.strap())
    var batch = SessionBatch()
    batch.links = [StrapLink(number: 0, handle: 0x10, handleSource: .discovered)]
    batch.entries = entries
    try SessionRepository(database: database).begin(session, with: batch)
    let heard = Mutex(entries[9].wall)
    let readings = StationReadings(
      database: database, configuration: station.configuration, time: clock,
      find: { id in id == session.id ? (session, heard.withLock { $0 }) : nil }, commit: {})
    let running = try await readings.begin(request(session.id))
    #expect(running.phase == .measuring && running.secondsLeft == 60)
    let again = await #expect(throws: DashboardError.self) { try await readings.begin(request(session.id)) }
    #expect(again?.kind == .conflict)
    var state = running
    heard.withLock { $0 = entries[entries.count - 1].wall }
    while state.phase == .measuring {
      clock.advance(seconds: 1)
      try Task.checkCancellation()
      await Task.yield()
      state = try await readings.running(running.id)
    }
    #expect(state.phase == .done && state.problem == nil)
    let expected = try ReadingAnalysis.reading(
      .morning, id: running.id, of: session, from: entries[9].wall, for: .seconds(60), in: database)
    #expect(state.reading == API.HRVReading(expected))
    #expect(state.morning?.mornings == 0 && state.morning?.verdict == nil)
    #expect(try ReadingRepository(database: database).readings(of: session.person).map(\.id) == [running.id])
  }

  /// The strap gets a person while it measures, which begins another session.
  @Test func testSessionThatIsFollowedByAnother_IsMeasuredThere() async throws {
    let station = try await QuietStation(database, clock)
    let entries = Array(CaptureBuilder.entries(SimulatedStrap().notifications()).prefix(180))
    let first = CaptureBuilder.session(entries, strap: CaptureBuilder.strap())
    var second = first
    (second.id, second.person) = ("00000009-aaaa-8bbb-9ccc-ddddeeeeffff", "Anna")
    var batch = SessionBatch()
    batch.links = [StrapLink(number: 0, handle: 0x10, handleSource: .discovered)]
    batch.entries = entries
    try SessionRepository(database: database).begin(second, with: batch)
    let running = Mutex<SessionDescription?>(first)
    let heard = Mutex(entries[9].wall)
    let readings = StationReadings(
      database: database, configuration: station.configuration, time: clock,
      find: { id in running.withLock { $0?.id == id ? $0 : nil }.map { ($0, heard.withLock { $0 }) } },
      follow: { _ in running.withLock { $0 }.map { ($0, heard.withLock { $0 }) } }, commit: {})
    let id = try await readings.begin(request(first.id)).id
    running.withLock { $0 = second }
    var state = try await readings.running(id)
    while state.session == first.id {
      clock.advance(seconds: 1)
      try Task.checkCancellation()
      await Task.yield()
      state = try await readings.running(id)
    }
    #expect(state.person == "Anna" && state.phase == .measuring)
    heard.withLock { $0 = entries[entries.count - 1].wall }
    while state.phase == .measuring {
      clock.advance(seconds: 1)
      try Task.checkCancellation()
      await Task.yield()
      state = try await readings.running(id)
    }
    #expect(state.phase == .done && state.reading?.session == second.id)
    #expect(try ReadingRepository(database: database).readings(of: "Anna").map(\.id) == [id])
  }

  @Test func testSessionThatEnds_IsSaidAndNotStored() async throws {
    let station = try await QuietStation(database, clock)
    let entries = CaptureBuilder.entries(SimulatedStrap().notifications())
    let session = CaptureBuilder.session(entries, strap: CaptureBuilder.strap())
    let isRunning = Mutex(true)
    let readings = StationReadings(
      database: database, configuration: station.configuration, time: clock,
      find: { _ in isRunning.withLock { $0 } ? (session, entries[9].wall) : nil }, commit: {})
    let id = try await readings.begin(request(session.id)).id
    isRunning.withLock { $0 = false }
    var state = try await readings.running(id)
    while state.phase == .measuring {
      clock.advance(seconds: 1)
      try Task.checkCancellation()
      await Task.yield()
      state = try await readings.running(id)
    }
    #expect(state.phase == .failed && state.problem?.contains("session has ended") == true && state.reading == nil)
    #expect(try ReadingRepository(database: database).readings(of: nil).isEmpty)
  }
}
