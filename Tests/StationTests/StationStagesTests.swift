import FoundationEssentials
import Logging
import Outlets
import Recording
import Repository
import TachogramCore
import TachogramTestKit
import Testing

@testable import Dashboard
@testable import Station

/// The stages of nights that last, for the page and the outlets.
struct StationStagesTests {
  @Test func testStage_IsPublished_WhileTheNightIsRecorded() async throws {
    let strap = try HeardStrap()
    let stages = StationStages(
      database: strap.database,
      configuration: CurrentConfiguration(try ConfigurationLoader(file: nil, environment: [:]).load()), hub: strap.hub,
      time: strap.clock, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    try await strap.run {
      await strap.beat(seconds: 60)
      await strap.commit()
      await stages.follow()
      await strap.beat(seconds: 1)
      #expect(try await strap.delivery().readings.map(\.sleepStage) == [nil], "There is no night.")

      let keeper = NightKeeper(database: strap.database, timeZone: .gmt)
      _ = try keeper.begin(at: strap.clock.now().wall, origin: .command)
      await strap.beat(seconds: 600)
      await strap.commit()
      await stages.follow()
      await strap.beat(seconds: 1)
      let stage = try #require(try await strap.delivery().readings.first?.sleepStage)
      #expect(stage != .unknown)
      #expect(strap.hub.live().readings.map(\.sleepStage) == [stage.rawValue])
      #expect(strap.hub.receives(strap.identity.address))
      strap.hub.endStage(of: try #require(strap.hub.running.first))
      #expect(strap.hub.live().readings.map(\.sleepStage) == [nil])
      await stages.follow()

      await strap.recorder.record(false, strap: 0)
      await strap.beat(seconds: 1)
      #expect(try await strap.delivery().readings.map(\.sleepStage) == [nil], "Nothing is recorded.")
      await stages.follow()
      #expect(strap.hub.live().readings.map(\.sleepStage) == [nil])
    }
  }
}
