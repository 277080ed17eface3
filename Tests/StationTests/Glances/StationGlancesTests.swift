import GATT
import Glances
import Presentation
import Recording
import Repository
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

@testable import Dashboard
@testable import Station

@Suite("Glances of a station", .timeLimit(.minutes(5)))
struct StationGlancesTests {
  private static let epoch: Int64 = 1_700_000_100_000_000
  private static let address = BluetoothAddress(value: 0xC0FF_EE00_0001, kind: .random)

  /// A station that has recorded a strap of Anna for some minutes, as its clock says.
  private struct Recorded {
    let folder: TemporaryFolder
    let database: TachogramDatabase
    let clock = ManualTimeSource(epoch: epoch)
    let hub: LiveHub
    let source: StoredGlances
    let glances: StationGlances

    init(seconds: Int64, names: [KnownStrap] = [], person: String? = "Anna", isStored: Bool = true) async throws {
      folder = try TemporaryFolder()
      database = try TachogramDatabase.open(path: folder.path("tachogram.sqlite"))
      for strap in names { try StrapRepository(database: database).remember(strap) }
      let configuration = CurrentConfiguration(
        try ConfigurationLoader(file: nil, flags: ["timeZone": "UTC"], environment: [:]).load())
      hub = LiveHub(names: StrapNames(known: names), feed: EventFeed(started: WallTime(microseconds: 0)), time: clock)
      source = StoredGlances(database: database, configuration: configuration)
      glances = StationGlances(
        hub: hub, histories: GlanceHistories(source: source, time: clock), configuration: configuration, time: clock)
      clock.advance(seconds: seconds)
      if seconds == 0 { return }
      _ = try await LiveRecorder(
        source: ScriptedSource(Self.script(seconds)), options: LiveOptions(person: person, isStored: isStored),
        time: clock, database: isStored ? database : nil, observe: hub.handle
      ).run()
    }

    private static func event(_ second: Int64, _ content: StrapEvent.Content) -> StrapEvent {
      let time = epoch + second * 1_000_000
      return StrapEvent(
        strap: 0, monotonic: MonotonicTime(microseconds: time), wall: WallTime(microseconds: time), content: content)
    }

    /// A strap that notifies a beat each second.
    private static func script(_ seconds: Int64) -> [StrapEvent] {
      [
        event(0, .identified(StrapIdentity(address: address))),
        event(0, .linkUp(handle: 0x12, handleSource: .discovered, bootID: nil)),
        event(0, .state(LinkState(phase: .live, since: MonotonicTime(microseconds: epoch)))),
      ]
        + (1...seconds).map { second in
          let intervals = RRIntervals([RRInterval(ticks: 1006 + UInt16(second * second % 37))])
          let value = HeartRateMeasurementCodec.encode(HeartRateMeasurement(heartRate: 61, rrIntervals: intervals))
          return event(second, .notification(value))
        }
    }
  }

  @Test func testContent_IsTheReadingOfNowAndTheStoredDay() async throws {
    let station = try await Recorded(seconds: 600)
    let content = try await station.glances.content(of: .automatic)
    #expect(content.name?.text == "Anna")
    #expect(content.state == .current && content.isConnected)
    #expect(content.reading?.heartRate == 61)
    #expect(content.reading?.time == WallTime(microseconds: Self.epoch + 600_000_000))
    let stress = try #require(content.reading?.stress)
    #expect((0...100).contains(stress.level) && content.reading?.sdnn != nil)
    // The first window ends after a minute; all are of the ten minutes.
    #expect((2...3).contains(content.points.count))
    #expect(content.points.allSatisfy { abs(($0.heartRate ?? 0) - 60) < 2 })
    #expect(content.points.contains { $0.stressLevel != nil })
    #expect(content.points.allSatisfy { $0.time.microseconds % 300_000_000 == 0 })
  }

  /// What no person is assigned to is that of several straps.
  @Test func testHistoryOfAStrapWithoutAPerson_IsItsOwn() async throws {
    let station = try await Recorded(seconds: 600, person: nil)
    let other = BluetoothAddress(value: 0xC0FF_EE00_0002, kind: .random)
    let end = station.clock.now().wall
    let own = try await station.source.history(of: .strap(Self.address), until: end)
    #expect(try await own == station.source.history(of: .nobody, until: end) && !own.points.isEmpty)
    #expect(own.points.contains { $0.stressLevel != nil })
    #expect(try await station.source.history(of: .strap(other), until: end) == GlanceHistory())
    #expect(try await station.glances.content(of: .automatic).points == own.points)
  }

  /// Although nothing is read from the database, and the glance is asked for many times.
  @Test func testReading_BecomesStaleAtOnce() async throws {
    let station = try await Recorded(seconds: 600)
    #expect(try await station.glances.content(of: .automatic).state == .current)
    station.clock.advance(seconds: 5)
    let stale = try await station.glances.content(of: .automatic)
    #expect(stale.state == .stale && stale.reading?.heartRate == 61)
  }

  @Test func testUnchangedContent_IsTheSameForAMinute() async throws {
    let station = try await Recorded(seconds: 600)
    station.clock.advance(seconds: 61)
    let first = try await station.glances.content(of: .automatic)
    #expect(first.time.microseconds % 60_000_000 == 0)
    station.clock.advance(seconds: 20)
    #expect(try await station.glances.content(of: .automatic) == first)
  }

  /// After a restart, nothing was received yet.
  @Test func testStationThatReceivedNothing_ShowsTheLastStoredValues() async throws {
    let station = try await Recorded(seconds: 600)
    let configuration = CurrentConfiguration(
      try ConfigurationLoader(file: nil, flags: ["timeZone": "UTC"], environment: [:]).load())
    let hub = LiveHub(
      names: StrapNames(known: []), feed: EventFeed(started: WallTime(microseconds: 0)), time: station.clock)
    let glances = StationGlances(
      hub: hub, histories: GlanceHistories(source: station.source, time: station.clock), configuration: configuration,
      time: station.clock)
    let content = try await glances.content(of: .person("Anna"))
    #expect(content.state == .stale && !content.isConnected && content.name?.text == "Anna")
    #expect(content.reading?.stress != nil && content.reading?.heartRate != nil)
    #expect(!content.points.isEmpty)
    #expect(try await glances.content(of: .automatic).state == .noReading)
  }

  @Test func testUnknownStrapOrPerson_IsRefused() async throws {
    let strap = KnownStrap(
      address: BluetoothAddress(value: 0xC0FF_EE00_0002, kind: .random), name: "Belt", added: WallTime(microseconds: 0))
    let station = try await Recorded(seconds: 0, names: [strap])
    for choice in [ReadingChoice.strap("other"), .person("Carl")] {
      await #expect {
        try await station.glances.content(of: choice)
      } throws: {
        ($0 as? DashboardError)?.kind == .notFound
      }
    }
    #expect(try await station.glances.content(of: .strap("Belt")).state == .noReading)
    #expect(try await station.glances.content(of: .automatic).name == nil)
  }

  /// A panel on a wall does not show where its wearer can be found.
  @Test func testStrapWithoutAName_IsShownWithoutItsAddress() async throws {
    let station = try await Recorded(seconds: 90)
    let name = try #require(station.hub.live().readings.first?.name)
    #expect(name.contains("C0:FF:EE:00:00:01"))
    let content = try await station.glances.content(of: .strap(name))
    #expect(content.name?.text.contains("C0:FF") == false)
  }
}
