import Sleep
import TachogramCore
import Testing

struct SleepRegularityIndexTests {
  private static let evening: Int64 = 1_772_488_800

  private static func night(day: Int, offset: Int64 = 0, _ stages: [SleepStage]) -> DatedNight {
    DatedNight(
      start: WallTime(microseconds: (evening + Int64(day) * 86_400 + offset) * 1_000_000), stages: stages)
  }

  @Test func testIndex_IsThatOfTheDefinition() throws {
    let cases = try SleepFixture.regularity()
    #expect(cases.count == 4)
    for one in cases {
      let nights = try zip(one.starts, one.nights).map { start, runs in
        DatedNight(start: WallTime(microseconds: start * 1_000_000), stages: try stageRuns(runs))
      }
      let found = try #require(try SleepRegularityIndex.index(of: nights))
      #expect(abs(found - one.index) < 1e-9, "\(one.name): \(found)")
    }
  }

  @Test func testSameNights_Have100() throws {
    let stages = try stageRuns("20 wake", "900 asleep", "40 wake")
    let nights = (0..<6).map { Self.night(day: $0, stages) }
    #expect(try SleepRegularityIndex.index(of: nights) == 100)
    // Within half an epoch.
    let shifted = (0..<6).map { Self.night(day: $0, offset: $0.isMultiple(of: 2) ? 0 : 14, stages) }
    #expect(try SleepRegularityIndex.index(of: shifted) == 100)
  }

  @Test func testFewNights_HaveNoIndex() throws {
    let stages = try stageRuns("900 asleep")
    #expect(try SleepRegularityIndex.index(of: []) == nil)
    #expect(try SleepRegularityIndex.index(of: (0..<4).map { Self.night(day: $0, stages) }) == nil)
    // Every third night: nothing to compare.
    #expect(try SleepRegularityIndex.index(of: (0..<9).map { Self.night(day: 3 * $0, stages) }) == nil)
    #expect(try SleepRegularityIndex.index(of: (0..<9).map { Self.night(day: $0, []) }) == nil)
  }

  @Test func testUnorderedOrOverlappingNights_AreRefused() throws {
    let stages = try stageRuns("900 asleep")
    #expect(throws: SleepInputError.unsorted(position: 1)) {
      try SleepRegularityIndex.index(of: [Self.night(day: 1, stages), Self.night(day: 0, stages)])
    }
    #expect(throws: SleepInputError.unsorted(position: 1)) {
      try SleepRegularityIndex.index(of: [Self.night(day: 0, stages), Self.night(day: 0, offset: 3600, stages)])
    }
  }
}
