import Sleep
import TachogramCore
import Testing

struct SleepMetricsTests {
  /// The values of YASA are rounded to four decimals.
  private func agrees(_ value: Double?, _ reference: Double) -> Bool {
    guard let value else { return reference.isNaN }
    return abs(value - reference) <= 0.000_051
  }

  @Test func testMetrics_AreThoseOfYASA() throws {
    let cases = try SleepFixture.hypnograms()
    #expect(cases.count == 29)
    var latencies = 0
    for one in cases {
      let metrics = try SleepMetrics(try stageRuns(one.stages))
      let reference = one.statistics.mapValues(\.value)
      let values: [String: Double?] = [
        "TIB": metrics.timeInBed, "SPT": metrics.sleepPeriod, "WASO": metrics.wakeWithinSleepPeriod,
        "TST": metrics.totalSleepTime, "SE": metrics.sleepEfficiency, "SME": metrics.sleepMaintenance,
        "SFI": metrics.fragmentationIndex, "SOL": metrics.sleepOnsetLatency, "SOL_5min": metrics.persistentSleepLatency,
        "WAKE": metrics.minutes(of: .wake), "UNS": metrics.minutes(of: .unknown), "LIGHT": metrics.minutes(of: .light),
        "DEEP": metrics.minutes(of: .deep), "NREM": metrics.minutes(of: .nrem), "REM": metrics.minutes(of: .rem),
        "%LIGHT": metrics.share(of: .light), "%DEEP": metrics.share(of: .deep), "%NREM": metrics.share(of: .nrem),
        "%REM": metrics.share(of: .rem),
      ]
      for (name, expected) in reference where name != "Lat_REM" {
        let value = try #require(values[name], "there is no \(name)")
        #expect(agrees(value, expected), "\(one.name): \(name) is \(value ?? .nan) instead of \(expected)")
      }
      // YASA counts the latency of REM sleep from the start; from sleep onset it is the AASM's.
      if let latency = reference["Lat_REM"], let onset = reference["SOL"] {
        #expect(agrees(metrics.remLatency, latency - onset), "\(one.name)")
        latencies += 1
      }
    }
    #expect(latencies > 10)
  }

  @Test func testWakeAfterSleepOnset_HasTheWakeAfterTheLastSleep() throws {
    let metrics = try SleepMetrics(try stageRuns("10 wake", "20 light", "4 wake", "1 unknown", "20 rem", "6 wake"))
    #expect(metrics.wakeWithinSleepPeriod == 2)
    #expect(metrics.wakeAfterSleepOnset == 5)
    #expect(metrics.remLatency == 12.5)
    #expect(metrics.timeInBed == 30.5 && metrics.sleepPeriod == 22.5 && metrics.totalSleepTime == 20)
  }

  @Test(arguments: [
    (["5 asleep", "1 wake", "5 asleep", "3 wake", "1 asleep"], 2),
    (["5 asleep", "9 wake"], 0),
    (["9 wake", "5 asleep"], 0),
    (["5 asleep", "1 unknown", "2 wake", "1 unknown", "2 wake", "5 nrem"], 1),
    (["5 asleep", "4 unknown", "5 nrem"], 0),
  ])
  func testAwakenings_AreWakeBetweenSleep(runs: [String], count: Int) throws {
    #expect(try SleepMetrics(try stageRuns(runs)).awakenings == count)
  }

  @Test func testRange_IsFromLightsOffToLightsOn() throws {
    let stages = try stageRuns("10 wake", "20 asleep", "10 wake")
    #expect(try SleepMetrics(stages, in: 6..<34) == (try SleepMetrics(try stageRuns("4 wake", "20 asleep", "4 wake"))))
    #expect(throws: SleepInputError.invalidRange(lower: 6, upper: 41, count: 40)) {
      try SleepMetrics(stages, in: 6..<41)
    }
    #expect(throws: SleepInputError.invalidRange(lower: -1, upper: 4, count: 40)) {
      try SleepMetrics(stages, in: -1..<4)
    }
  }

  @Test func testNoEpochs_HaveNoShares() throws {
    let metrics = try SleepMetrics([])
    #expect(metrics.timeInBed == 0 && metrics.totalSleepTime == 0 && metrics.sleepPeriod == 0)
    #expect(metrics.sleepEfficiency == nil && metrics.sleepMaintenance == nil && metrics.fragmentationIndex == nil)
    #expect(metrics.sleepOnsetLatency == nil && metrics.awakenings == nil && metrics.share(of: .rem) == nil)
  }

  // MARK: - Score

  private static let scores: [(runs: [String], score: Double)] = [
    // 8 h in bed, 10 min to fall asleep, no wake.
    (["20 wake", "940 asleep"], 100),
    (["960 wake"], 0),
    // 5.5 h of sleep: half of the marks for its length; SE 68.75 %: 3.75/20; SOL 150 min: none.
    (["300 wake", "660 asleep"], 20 + 5.625 + 20),
    // WASO of 50 min in 8 h: half of its marks; 430 min of sleep, SE 89.6 %.
    (["400 light", "100 wake", "460 rem"], 90),
  ]

  @Test(arguments: scores.indices)
  func testScore_IsThatOfTheFormula(number: Int) throws {
    let (runs, score) = Self.scores[number]
    let found = try #require(SleepQualityScore.score(try SleepMetrics(try stageRuns(runs))))
    #expect(abs(found - score) < 1e-9)
  }

  @Test func testScoreOfUnknownNights_IsAbsent() throws {
    #expect(SleepQualityScore.score(try SleepMetrics([])) == nil)
    #expect(SleepQualityScore.score(try SleepMetrics(try stageRuns("21 unknown", "79 asleep"))) == nil)
    #expect(SleepQualityScore.score(try SleepMetrics(try stageRuns("20 unknown", "80 asleep"))) != nil)
  }

  // MARK: - Restlessness

  @Test func testRestlessness_IsTheShareOfMovedEpochsWithinSleep() throws {
    let stages = try stageRuns("2 wake", "4 asleep", "1 wake", "3 asleep", "2 wake")
    // The mean of an epoch counts; what is at the threshold, or outside the sleep period, does not.
    let intensities: [Int: [Double]] = [
      0: [9], 1: [9], 2: [1], 3: [3, 1], 4: [2.5], 6: [9], 7: [0], 9: [5, 0], 10: [9], 11: [9],
    ]
    let movements = intensities.sorted { $0.key < $1.key }.flatMap { epoch, values in
      values.map { MovementSample(time: Int64(epoch) * SleepAxis.ticksPerEpoch, intensity: $0) }
    }
    let found = try #require(Restlessness.percentage(stages, movements: movements, threshold: 2))
    #expect(abs(found - 100 * 3.0 / 6) < 1e-12)
    #expect(Restlessness.percentage(stages, movements: [], threshold: 2) == nil)
    #expect(Restlessness.percentage(stages, movements: Array(movements.prefix(5)), threshold: 2) == nil)
    #expect(Restlessness.percentage(try stageRuns("9 wake"), movements: movements, threshold: 2) == nil)
  }
}
