import Dispatch
import Repository
import Station
import TachogramCore
import TachogramTestKit
import Testing

@testable import Dashboard
@testable import tachogram

/// What the page asks of a station that computes something over years.
@Suite("Long questions")
struct LongQuestionTests {
  @Test("What takes long keeps nobody from what does not", .timeLimit(.minutes(1)))
  func longQuestion_DelaysOthersOfItsKindAlone() async throws {
    let database = try TachogramDatabase.inMemory()
    let clock = ManualTimeSource()
    let now = clock.now().wall
    let configuration = try await ConfigurationLoader(file: nil, flags: ["timeZone": "UTC"], environment: [:]).load()
    let feed = EventFeed(started: now)
    let backend = StationBackend(
      database: database, hub: LiveHub(names: StrapNames(choice: StrapChoice(known: [])), feed: feed, time: clock),
      feed: feed, state: StationState(configuration, version: "1", started: now, isReplay: false), time: clock,
      usual: UsualValues(), snapshots: SnapshotFolder(nil, database: database.path))
    let end = DispatchSemaphore(value: 0)
    async let long: Void = backend.longQueries.run { end.wait() }
    async let trends = backend.trends(TrendsQuestion(person: nil, period: .week, end: nil))
    _ = try await (backend.straps(), backend.persons(), backend.status())
    let sessions = try await backend.sessions(SessionsQuestion(person: nil, from: nil, to: nil, limit: 50, cursor: nil))
    #expect(sessions.sessions.isEmpty)
    end.signal()
    try await long
    #expect(try await trends.points.isEmpty)
  }
}
