import FoundationEssentials
import Pipeline
import Recording
import Repository
import TachogramCore
import TachogramTestKit
import Testing

/// Sessions with sensor entries and movement that are split and merged.
@Suite("Sensor entries of edited sessions")
struct SensorDivisionTests {
  private let database: TachogramDatabase
  private let repository: SessionRepository
  private let session: String

  /// A session of 200 s with a frame in each second, on two links.
  init() async throws {
    database = try TachogramDatabase.inMemory()
    repository = SessionRepository(database: database)
    var script = EventScript()
    for part in [0..<100, 100..<200] {
      script.up()
      script.add(.sensor(Self.started))
      for number in part {
        script.notify(1)
        script.add(.sensor(Self.frame(number)))
      }
      script.add(.linkDown(reason: 0x13))
    }
    let recorder = LiveRecorder(
      source: ScriptedSource(script.events), options: LiveOptions(), time: ScaledTimeSource(factor: 1),
      database: database, observe: { _ in })
    session = try #require(try await recorder.run().first?.report.session.id)
  }

  private static let started = SensorScript.started

  private static func frame(_ number: Int) -> SensorEntry.Content {
    SensorScript.frame(number, x: number % 7 * 50)
  }

  private var editor: SessionEditor {
    SessionEditor(
      database: database, keeping: .init(installation: "here", restoresAbsent: false), running: [])
  }

  private func entries(_ session: String) throws -> [SensorEntry] {
    var entries: [SensorEntry] = []
    try SensorRepository(database: database).forEachEntry(of: session) { entries += $0 }
    return entries
  }

  private func movement(_ session: String) throws -> [MovementEpoch] {
    try SleepRepository(database: database).movement(of: session)
  }

  private func record(_ id: String) throws -> SessionRecord { try repository.session(matching: id) }

  @Test(arguments: [50, 101, 150]) func testParts_HaveTheirEntries(second: Int) throws {
    let (all, allMovement) = (try entries(session), try movement(session))
    let start = try record(session).description.start
    let part = try editor.split(try record(session), at: start.advanced(by: .seconds(second)))
    let (first, last) = (try entries(session), try entries(part))
    let cut = try record(part).description
    #expect(first.map(\.sequence) == Array(0..<Int64(first.count)))
    #expect(last.map(\.sequence) == Array(0..<Int64(last.count)))
    #expect(first == Array(all.prefix { $0.monotonic < cut.monotonicStart }))
    let rest = all.dropFirst(first.count)
    // The second part can be read by itself: it begins with the start of its stream.
    #expect(last.first?.content == Self.started)
    #expect(last.suffix(rest.count).map(\.content) == rest.map(\.content))
    #expect(last.count - rest.count <= 1)
    let links = Set(try repository.links(of: part).map(\.number))
    #expect(Set(last.map(\.link)).isSubset(of: links))
    #expect(try movement(session) + movement(part) == allMovement)
    #expect(try movement(part).allSatisfy { $0.time >= cut.monotonicStart })
    // Merged again, nothing is lost.
    _ = try editor.merge(try record(session), try record(part))
    let merged = try entries(session)
    #expect(merged.map(\.sequence) == Array(0..<Int64(merged.count)))
    #expect(merged.map(\.content).filter { $0 != Self.started } == all.map(\.content).filter { $0 != Self.started })
    #expect(merged.map(\.monotonic).suffix(20) == all.map(\.monotonic).suffix(20))
    #expect(try movement(session) == allMovement)
  }

  @Test func testNight_IsNeitherSplitNorMerged() throws {
    let start = try record(session).description.start
    let part = try editor.split(try record(session), at: start.advanced(by: .seconds(120)))
    let night = SleepSession(
      session: session, origin: .page, lightsOff: try record(session).description.monotonicStart)
    try SleepRepository(database: database).store(night)
    #expect(throws: SessionEditError.night(session: session)) {
      try editor.split(try record(session), at: start.advanced(by: .seconds(50)))
    }
    #expect(throws: SessionEditError.night(session: session)) {
      try editor.merge(try record(session), try record(part))
    }
    #expect(try SleepRepository(database: database).forget(session))
    _ = try editor.merge(try record(session), try record(part))
  }
}
