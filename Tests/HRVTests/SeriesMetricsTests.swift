import HRV
import TachogramCore
import TachogramTestKit
import Testing

/// The metrics of order and of distribution, against closed forms and against the definitions written out.
struct SeriesMetricsTests {
  private func metrics(_ runs: [[Double]]) -> HRVMetrics {
    var accumulator = SeriesAccumulator()
    var sums = TimeDomainAccumulator()
    for run in runs {
      var last: NNInterval?
      for (place, interval) in run.enumerated() {
        accumulator.add(interval, followsGap: place == 0)
        let nn = NNInterval(milliseconds: interval)
        sums.add(nn, after: last)
        last = nn
      }
    }
    return accumulator.metrics(timeDomain: sums.metrics())
  }

  private func random(_ count: Int, seed: UInt64, spread: Double = 200) -> [Double] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in 700 + spread * random.unit() }
  }

  // MARK: - DFA

  /// The definition written out, with the deviations from the mean of the whole.
  private func alpha(_ runs: [[Double]]) -> Double {
    let all = runs.joined()
    let mean = all.reduce(0, +) / Double(all.count)
    var points: [(Double, Double)] = []
    for scale in 4...16 {
      var (sum, count) = (0.0, 0)
      for run in runs {
        var profile: [Double] = []
        for interval in run { profile.append((profile.last ?? 0) + interval - mean) }
        var start = 0
        while start + scale <= profile.count {
          let box = profile[start..<(start + scale)]
          let meanX = Double(scale - 1) / 2
          let meanY = box.reduce(0, +) / Double(scale)
          var (xy, xx) = (0.0, 0.0)
          for (x, y) in box.enumerated() {
            xy += (Double(x) - meanX) * (y - meanY)
            xx += (Double(x) - meanX) * (Double(x) - meanX)
          }
          for (x, y) in box.enumerated() {
            let residual = y - meanY - xy / xx * (Double(x) - meanX)
            sum += residual * residual
          }
          count += scale
          start += scale
        }
      }
      points.append((Self.logarithm(Double(scale)), Self.logarithm((sum / Double(count)).squareRoot())))
    }
    let meanX = points.reduce(0) { $0 + $1.0 } / 13
    let meanY = points.reduce(0) { $0 + $1.1 } / 13
    return points.reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
      / points.reduce(0) { $0 + ($1.0 - meanX) * ($1.0 - meanX) }
  }

  /// ln by its integral, Simpson's rule over the mantissa.
  private static func logarithm(_ value: Double) -> Double {
    let x = value.significand
    let steps = 2000
    let width = (x - 1) / Double(steps)
    var sum = 0.0
    for step in 0...steps {
      let weight = step == 0 || step == steps ? 1.0 : step.isMultiple(of: 2) ? 2 : 4
      sum += weight / (1 + Double(step) * width)
    }
    return sum * width / 3 + Double(value.exponent) * 0.693147180559945309417
  }

  @Test(arguments: [200, 239, 240, 241, 479, 480, 1000])
  func testAlpha_IsThatOfTheDefinition(count: Int) throws {
    let series = random(count, seed: UInt64(count))
    #expect(abs(try #require(metrics([series])[.dfaAlpha1]) - alpha([series])) < 1e-9)
  }

  @Test func testAlphaOverGaps_HasBoxesOfEachRun() throws {
    let runs = [random(77, seed: 1), random(300, seed: 2), random(3, seed: 3), random(41, seed: 4)]
    #expect(abs(try #require(metrics(runs)[.dfaAlpha1]) - alpha(runs)) < 1e-9)
  }

  @Test func testUncorrelatedIntervals_HaveAnAlphaAboutOneHalf() throws {
    // At scales this small the estimate for white noise is above 0.5 (Peng et al. 1995).
    let value = try #require(metrics([random(20_000, seed: 9)])[.dfaAlpha1])
    #expect((0.5...0.65).contains(value))
  }

  @Test func testEqualIntervals_HaveNoAlpha() {
    #expect(metrics([[Double](repeating: 800, count: 300)]).reason(for: .dfaAlpha1) == .noSpread)
  }

  // MARK: - Sample entropy

  private func sampleEntropyCounts(_ runs: [[Double]]) -> (two: Int, three: Int) {
    let all = Array(runs.joined())
    let mean = all.reduce(0, +) / Double(all.count)
    let deviation = (all.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(all.count - 1)).squareRoot()
    let templates = runs.flatMap { run in
      run.count < 3 ? [] : (0..<(run.count - 2)).map { Array(run[$0..<($0 + 3)]) }
    }
    var (two, three) = (0, 0)
    for first in templates.indices {
      for second in templates.indices where second > first {
        let near = zip(templates[first], templates[second]).map { abs($0 - $1) <= 0.2 * deviation }
        if near[0], near[1] {
          two += 1
          if near[2] { three += 1 }
        }
      }
    }
    return (two, three)
  }

  @Test(arguments: [[300], [200], [120, 90], [100, 2, 150, 1]])
  func testSampleEntropy_IsThatOfTheDefinition(lengths: [Int]) throws {
    let runs = lengths.enumerated().map { random($1, seed: UInt64($0 + 5)) }
    let counts = sampleEntropyCounts(runs)
    let expected = -Self.logarithm(Double(counts.three) / Double(counts.two))
    #expect(abs(try #require(metrics(runs)[.sampleEntropy]) - expected) < 1e-9)
  }

  @Test func testSampleEntropy_IsThatOfTheDefinitionHoweverLengthsAreSpread() throws {
    let noise = random(250, seed: 9, spread: 1e-7)
    for series in [
      random(250, seed: 8).map { $0.rounded() }, noise.sorted(by: >) + [701], [131_072] + noise,
      random(250, seed: 7).sorted(),
    ] {
      let counts = sampleEntropyCounts([series])
      let expected = -Self.logarithm(Double(counts.three) / Double(counts.two))
      #expect(abs(try #require(metrics([series])[.sampleEntropy]) - expected) < 1e-9)
    }
  }

  @Test func testSampleEntropy_NeedsTwoHundredBeatsThatDiffer() {
    #expect(metrics([random(199, seed: 1)]).reason(for: .sampleEntropy) == .tooFew(count: 199, minimum: 200))
    #expect(metrics([[Double](repeating: 800, count: 300)]).reason(for: .sampleEntropy) == .noSpread)
  }

  // MARK: - Distribution

  @Test func testTriangularIndex_IsAllOverTheFullestBin() {
    // 7.8125 ms a bin: 800 ms is in bin 102, 808 ms in bin 103.
    let series = [Double](repeating: 800, count: 900) + [Double](repeating: 808, count: 600) + [600]
    #expect(metrics([series])[.triangularIndex] == 1501.0 / 900)
    let short = [Double](repeating: 800, count: 1499)
    #expect(metrics([short]).reason(for: .triangularIndex) == .tooShort(seconds: 1199.2, minimum: 1200))
  }

  @Test func testStressIndex_TakesTheLowerBinOnATie() {
    let series = [Double](repeating: 810, count: 40) + [Double](repeating: 760, count: 40) + [900, 700]
    // AMo = 40/82, Mo the centre of 750 … 800 ms, MxDMn = 0.2 s.
    let expected = 100 * 40.0 / 82 / (2 * 0.775 * 0.2)
    #expect(abs((metrics([series])[.baevskyStressIndex] ?? 0) - expected) < 1e-9)
    #expect(metrics([[Double](repeating: 800, count: 100)]).reason(for: .baevskyStressIndex) == .noSpread)
  }

  @Test func testDecelerationCapacity_IsTheMeanOverAnchors() throws {
    // 800, 810, 820, 810 again and again: the anchors are 810 and 820 of the rise.
    let series = (0..<400).map { [800.0, 810, 820, 810][$0 % 4] }
    // At 810: (810 + 820 − 800 − 810)/4 = 5; at 820: (820 + 810 − 810 − 800)/4 = 5.
    #expect(abs(try #require(metrics([series])[.decelerationCapacity]) - 5) < 1e-9)
    // A rise of more than 5 % is no anchor.
    let steep = (0..<400).map { [800.0, 900][$0 % 2] }
    #expect(metrics([steep]).reason(for: .decelerationCapacity) == .tooFew(count: 0, minimum: 10))
  }

  // MARK: - Long recordings

  @Test func testMoreThanFiveThousandBeats_HaveNoSpectrumOfTheWhole() {
    #expect(metrics([random(5000, seed: 1)])[.lf] != nil)
    let long = metrics([random(5001, seed: 1)])
    for metric in [HRVMetric.vlf, .lf, .hf, .totalPower, .lfhf, .respirationRate, .sampleEntropy] {
      #expect(long.reason(for: metric) == .tooManyBeats(count: 5001, limit: 5000))
    }
    for metric in [HRVMetric.dfaAlpha1, .triangularIndex, .baevskyStressIndex, .decelerationCapacity] {
      #expect(long[metric] != nil)
    }
  }
}
