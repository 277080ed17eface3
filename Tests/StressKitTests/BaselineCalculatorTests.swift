import FoundationEssentials
import StressKit
import Testing

struct BaselineCalculatorTests {
  private static let day = 86_400.0

  private let now = Date(timeIntervalSince1970: 1_760_000_000)

  private func baseline(
    _ measurements: [HRVMeasurement], heartRates: [HeartRateSample] = [], kind: HRVKind = .sdnn,
  ) -> PersonalBaseline {
    BaselineCalculator(kind: kind, timeZone: .gmt).baseline(from: measurements, heartRates: heartRates, at: now)
  }

  /// Measurements an hour apart, the first an hour before now.
  private func measurements(_ values: [Double], kind: HRVKind = .sdnn) -> [HRVMeasurement] {
    values.enumerated().map { index, value in
      HRVMeasurement(value: value, kind: kind, timestamp: now - Double(index + 1) * 3600)
    }
  }

  private func samples(_ values: [Double]) -> [HeartRateSample] {
    values.enumerated().map { index, value in
      HeartRateSample(value: value, timestamp: now - Double(index) * 60)
    }
  }

  // MARK: - How many

  @Test(arguments: [0, 1, 29])
  func testTooFewMeasurements_GiveTheDefault(count: Int) {
    let baseline = baseline(
      measurements(Array(repeating: 80, count: count)), heartRates: samples(Array(repeating: 50, count: 20)),
    )
    #expect(baseline == .default(kind: .sdnn, lastUpdated: now))
  }

  @Test func testThirtyMeasurements_GiveAPersonalBaseline() {
    let baseline = baseline(measurements((0..<30).map { 60 + Double($0) }))
    #expect(baseline.isPersonal)
    #expect(baseline.sampleCount == 30)
    #expect(abs(baseline.baselineHRV - 74.5) < 1e-9)
    #expect(baseline.kind == .sdnn)
    #expect(baseline.lastUpdated == now)
  }

  @Test func testThirtyWithAnOutlier_AreTooFew() {
    let baseline = baseline(measurements((0..<29).map { 60 + Double($0) } + [1000]))
    #expect(baseline == .default(kind: .sdnn, lastUpdated: now))
  }

  // MARK: - Which

  @Test func testMeasurementOfExactlyThirtyDays_Counts() {
    let recent = measurements((0..<29).map { 60 + Double($0) })
    let atTheEdge = HRVMeasurement(value: 70, timestamp: now - 30 * Self.day)
    let tooOld = HRVMeasurement(value: 70, timestamp: now - 30 * Self.day - 0.001)
    #expect(baseline(recent + [atTheEdge]).sampleCount == 30)
    #expect(!baseline(recent + [tooOld]).isPersonal)
  }

  @Test func testMeasurementInTheFuture_DoesNotCount() {
    let recent = measurements((0..<29).map { 60 + Double($0) })
    #expect(baseline(recent + [HRVMeasurement(value: 70, timestamp: now)]).isPersonal)
    #expect(!baseline(recent + [HRVMeasurement(value: 70, timestamp: now + 0.001)]).isPersonal)
  }

  @Test(arguments: [Double.nan, .infinity, -Double.infinity, -1, 0])
  func testImpossibleMeasurement_DoesNotCount(value: Double) {
    let recent = measurements((0..<29).map { 60 + Double($0) })
    let impossible = HRVMeasurement(value: value, timestamp: now)
    let possible = HRVMeasurement(value: 70, timestamp: now)
    #expect(!baseline(recent + [impossible]).isPersonal)
    let mean = (29 * 74 + 70.0) / 30
    #expect(abs(baseline(recent + [impossible, possible]).baselineHRV - mean) < 1e-9)
  }

  @Test func testKinds_AreNeverMixed() {
    let mixed =
      measurements(Array(repeating: 40, count: 31), kind: .rmssd)
      + measurements(Array(repeating: 90, count: 29), kind: .sdnn)
    #expect(baseline(mixed, kind: .sdnn) == .default(kind: .sdnn, lastUpdated: now))
    let rmssd = baseline(mixed, kind: .rmssd)
    #expect(rmssd.kind == .rmssd)
    #expect(rmssd.sampleCount == 31)
    #expect(abs(rmssd.baselineHRV - 40) < 1e-9)
  }

  // MARK: - Outliers

  /// 41 … 80 with a value below and one above: the type 7 quartiles are 50.25 and 70.75, the fences 19.5 and 101.5.
  @Test(arguments: [(19.5, 101.5, 42), (19.4, 101.5, 41), (19.5, 101.6, 41), (19.4, 101.6, 40), (1, 900, 40)])
  func testValueBeyondAFence_IsLeftOut(low: Double, high: Double, count: Int) {
    let values = (41...80).map(Double.init)
    let baseline = baseline(measurements([low] + values + [high]))
    #expect(baseline.sampleCount == count)
    if count == 40 { #expect(abs(baseline.baselineHRV - 60.5) < 1e-9) }
  }

  @Test func testOrder_DoesNotMatter() {
    let values = (0..<50).map { 40 + Double($0 * 37 % 50) }
    #expect(abs(baseline(measurements(values)).baselineHRV - 64.5) < 1e-9)
    #expect(baseline(measurements(values)).sampleCount == 50)
  }

  // MARK: - Resting heart rate

  @Test(arguments: [
    // Type 7: at 0.1 · (n − 1) in order.
    (10, 50.9), (11, 51.0), (101, 60.0),
  ])
  func testHeartRates_GiveTheirTenthPercentile(count: Int, resting: Double) {
    let enough = measurements(Array(repeating: 50, count: 30))
    let rates = samples((0..<count).map { 50 + Double($0) }.reversed())
    #expect(abs(baseline(enough, heartRates: rates).restingHeartRate - resting) < 1e-9)
  }

  @Test func testNineHeartRates_GiveTheDefault() {
    let enough = measurements(Array(repeating: 50, count: 30))
    #expect(baseline(enough, heartRates: samples(Array(repeating: 45, count: 9))).restingHeartRate == 60)
    #expect(baseline(enough, heartRates: samples(Array(repeating: 45, count: 10))).restingHeartRate == 45)
  }

  @Test func testUnusableHeartRates_DoNotCount() {
    let enough = measurements(Array(repeating: 50, count: 30))
    let nine = samples(Array(repeating: 45, count: 9))
    let unusable = [
      HeartRateSample(value: .nan, timestamp: now), HeartRateSample(value: 0, timestamp: now),
      HeartRateSample(value: 30, timestamp: now - 31 * Self.day), HeartRateSample(value: 30, timestamp: now + 1),
    ]
    #expect(baseline(enough, heartRates: nine + unusable).restingHeartRate == 60)
  }
}
