import HRV
import TachogramTestKit
import Testing

struct FixedPointMomentsTests {
  private let unit: Int64 = 1 << 32

  @Test func testNothing_HasNoStatistics() {
    let moments = FixedPointMoments()
    #expect(moments.total == 0)
    #expect(moments.meanSquare(count: 0) == nil)
    #expect(moments.standardDeviation(count: 0) == nil)
  }

  @Test func testOneValue_HasNoDeviation() throws {
    var moments = FixedPointMoments()
    moments.add(-3 * unit)
    #expect(moments.total == -3)
    #expect(moments.meanSquare(count: 1) == 9)
    #expect(moments.standardDeviation(count: 1) == nil)
  }

  /// The 11 beats of HeartPy's documentation: with the divisor n − 1 SDNN is 64.230 ms.
  @Test func testHeartPyVector_HasItsSampleDeviation() throws {
    var moments = FixedPointMoments()
    for value in [1020, 990, 960, 1000, 1050, 1090, 990, 900, 900, 950, 1080] as [Int64] { moments.add(value * unit) }
    let deviation = try #require(moments.standardDeviation(count: 11))
    #expect(abs(deviation - 64.229_701) < 1e-6)
  }

  /// Sixty beats alternating between 800 and 1000 ms: 54 s, too short for the metric, but not for the formula.
  @Test func testSixtyAlternatingValues_HaveTheirClosedForm() throws {
    var moments = FixedPointMoments()
    for index in 0..<60 { moments.add((index.isMultiple(of: 2) ? 800 : 1000) * unit) }
    let deviation = try #require(moments.standardDeviation(count: 60))
    #expect(abs(deviation - 100.843_897) < 1e-6)
  }

  @Test func testEqualValues_DeviateByExactlyZero() {
    var moments = FixedPointMoments()
    for _ in 0..<1000 { moments.add(4_123_456_789_012) }
    #expect(moments.standardDeviation(count: 1000) == 0)
  }

  /// Two values in turn deviate by half their difference · √(n / (n − 1)). Here n·Σx² is above 2¹²⁸, its difference
  /// from (Σx)² below that, above, and below with a borrow from the upper half.
  @Test(
    arguments: [
      (1 << 50, (1 << 50) - (1 << 32)), (1 << 50, -(1 << 50)), (1 << 50, (3 << 48) + 12_345), (3 << 48, 1 << 43),
    ] as [(Int64, Int64)])
  func testSumsBeyond128Bits_StayExact(first: Int64, second: Int64) throws {
    var moments = FixedPointMoments()
    let count = 100_000
    for index in 0..<count { moments.add(index.isMultiple(of: 2) ? first : second) }
    let deviation = try #require(moments.standardDeviation(count: count))
    let expected = Double(first - second) / 2 * 0x1p-32 * (Double(count) / Double(count - 1)).squareRoot()
    #expect(abs(deviation / expected - 1) < 1e-15)
  }

  @Test func testDifferenceOfTwoStates_IsWhatWasAddedBetween() {
    var random = SplitMix64(seed: 3)
    let values = (0..<1000).map { _ in Int64.random(in: -(1 << 50)...(1 << 50), using: &random) }
    var (moments, alone) = (FixedPointMoments(), FixedPointMoments())
    for value in values.prefix(500) { moments.add(value) }
    let before = moments
    for value in values.suffix(500) {
      moments.add(value)
      alone.add(value)
    }
    #expect(moments.since(before) == alone)
    #expect(moments.since(moments) == FixedPointMoments())
  }
}
