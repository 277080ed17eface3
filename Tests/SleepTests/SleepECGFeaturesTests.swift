import Sleep
import Testing

struct SleepECGFeaturesTests {
  /// Returns whether a value is the reference: the same kind of no number, or within 1e-9 of it.
  private func agrees(_ value: Double, _ reference: Double) -> Bool {
    if reference.isNaN { return value.isNaN }
    if reference.isInfinite { return value == reference }
    return abs(value - reference) <= 1e-9 * abs(reference)
  }

  @Test func testFeatures_AreThoseOfSleepECG() throws {
    let cases = try SleepFixture.features()
    #expect(cases.count == 16)
    for one in cases {
      let window = try #require(SleepECGWindow(rawValue: one.window))
      let features = SleepECGFeatures(try NightBeats(beatsAt: one.beats), epochCount: one.epochs, window: window)
      #expect(one.features.count == one.epochs)
      for (epoch, row) in one.features.enumerated() {
        let values = features.row(epoch)
        #expect(values.count == row.count && row.count == SleepECGFeature.ofIntervals.count)
        for (feature, (value, reference)) in zip(SleepECGFeature.ofIntervals, zip(values, row.map(\.value))) {
          #expect(
            agrees(value, reference), "\(one.name), \(window), epoch \(epoch), \(feature): \(value) is not \(reference)"
          )
        }
      }
    }
  }

  private func row(
    _ beats: [Int64], _ window: SleepECGWindow = .wakeNREMREM, epoch: Int = 0
  ) throws -> [SleepECGFeature:
    Double]
  {
    let features = SleepECGFeatures(try NightBeats(beatsAt: beats), epochCount: epoch + 1, window: window)
    return Dictionary(uniqueKeysWithValues: zip(SleepECGFeature.ofIntervals, features.row(epoch)))
  }

  @Test func testEqualIntervals_HaveNoVariationAndNoPower() throws {
    let row = try row((0..<400).map { 1000 * $0 })
    for feature in [SleepECGFeature.rangeNN, .sdnn, .rmssd, .sdsd, .nn20, .madNN, .stdHR, .totalPower, .hf] {
      #expect(row[feature] == 0, "\(feature)")
    }
    for feature in [SleepECGFeature.cvSD, .sd1sd2Ratio, .lfhfRatio, .lfNorm] { #expect(row[feature]?.isNaN == true) }
    #expect(row[.cvi] == -.infinity)
    #expect(row[.meanNN] == 1000.0 / 1024 && row[.medianNN] == 1000.0 / 1024)
  }

  @Test func testDifferences_CountAboveTheirLimitAlone() throws {
    // Differences of 51, 52, 20 and 21 ticks: 49.8, 50.8, 19.5 and 20.5 ms.
    let lengths: [Int64] = [900, 951, 1003, 983, 962]
    let row = try row(lengths.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) })
    #expect(row[.nn50] == 1)
    #expect(row[.nn20] == 3)
    #expect(row[.pnn50] == 0.25)
  }

  @Test func testFirstAndLastIntervalAlike_LeaveNoQuotientOfTheirDifference() throws {
    let row = try row([0, 900, 1850, 2750])
    #expect(row[.cvSD] == .infinity)
  }

  @Test(arguments: SleepECGWindow.allCases)
  func testNoBeats_HaveNoValuesButCounts(window: SleepECGWindow) throws {
    let features = SleepECGFeatures(NightBeats(), epochCount: 3, window: window)
    for epoch in 0..<3 {
      for (feature, value) in zip(SleepECGFeature.ofIntervals, features.row(epoch)) {
        #expect(feature == .nn50 || feature == .nn20 ? value == 0 : value.isNaN, "\(feature)")
      }
    }
    #expect(SleepECGFeatures(NightBeats(), epochCount: 0, window: window).values.isEmpty)
  }

  @Test func testGap_IsNoIntervalHoweverShort() throws {
    // 1.5 s between two runs of beats: a valid interval without a gap, none across one.
    let run: [Int64] = (0..<300).map { 900 * $0 + ($0 % 3) * 40 }
    let later = run.map { $0 + (run.last ?? 0) + 1536 }
    let joined = try NightBeats(beatsAt: run + later)
    let first = try NightBeats(beatsAt: run).intervals
    #expect(joined.intervals.filter(\.isValid).count == 599)
    let apart = try NightBeats(SleepBeatEvents.events(run, gap: true, then: later), from: SleepBeatEvents.start)
    #expect(apart.intervals.filter(\.isValid).count == 598)
    #expect(Array(apart.intervals.prefix(first.count)) == first)
    let features = SleepECGFeatures(apart, epochCount: 18, window: .wakeNREMREM)
    let column = try #require(SleepECGFeature.ofIntervals.firstIndex(of: .maxNN))
    #expect((0..<18).allSatisfy { features.row($0)[features.row($0).startIndex + column] < 1 })
  }
}
