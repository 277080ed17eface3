import Statistics
import Testing

struct QuantileTests {
  /// R 4.2: `quantile(c(1, 2, 4, 8), c(0, .1, .25, .5, .9, 1))`.
  @Test(arguments: [(0.0, 1.0), (0.1, 1.3), (0.25, 1.75), (0.5, 3), (0.9, 6.8), (1, 8), (-1, 1), (2, 8)])
  func testQuantile_IsThatOfR(probability: Double, value: Double) throws {
    let quantile = try #require(Quantile.ofSorted([1, 2, 4, 8], at: probability))
    #expect(abs(quantile - value) < 1e-12)
  }

  @Test func testQuantile_OfOneValueIsIt_AndOfNoneIsNone() {
    #expect(Quantile.ofSorted([7], at: 0.3) == 7)
    #expect(Quantile.ofSorted([], at: 0.5) == nil)
  }

  /// Two passes: values far from zero keep their deviation.
  @Test(arguments: [0.0, 1e9])
  func testMoments_AreThoseOfTheSample(offset: Double) throws {
    let moments = try #require(SampleMoments([2, 4, 4, 4, 5, 5, 7, 9].map { $0 + offset }))
    #expect(abs(moments.mean - offset - 5) < 1e-6)
    #expect(abs(moments.deviation - (32.0 / 7).squareRoot()) < 1e-6)
    #expect(SampleMoments([1]) == nil && SampleMoments([]) == nil)
  }
}
