import HRV
import TachogramCore
import TachogramTestKit
import Testing

struct SpectrumTests {
  /// Intervals about `mean` ms whose length swings at `frequency` Hz, sampled where each begins.
  private func sinusoid(amplitude: Double, frequency: Double, seconds: Double, mean: Double = 800) -> [Double] {
    var (time, intervals) = (0.0, [Double]())
    while time < seconds {
      let interval = mean + amplitude * Self.sine(2 * Double.pi * frequency * time)
      intervals.append(interval)
      time += interval / 1000
    }
    return intervals
  }

  private static func sine(_ angle: Double) -> Double {
    // Of the reduced angle, by its series: tests do not share the code that they test.
    var x = angle.truncatingRemainder(dividingBy: 2 * Double.pi)
    if x > Double.pi { x -= 2 * Double.pi }
    var (term, sum) = (x, x)
    for order in stride(from: 3.0, through: 31, by: 2) {
      term *= -x * x / (order * (order - 1))
      sum += term
    }
    return sum
  }

  @Test(arguments: [(0.1, Spectrum.Band.lf), (0.25, .hf), (0.02, .vlf)])
  func testSinusoid_HasHalfItsSquaredAmplitudeInItsBand(frequency: Double, band: Spectrum.Band) throws {
    let amplitude = 20.0
    let spectrum = try #require(Spectrum(sinusoid(amplitude: amplitude, frequency: frequency, seconds: 600)[...]))
    #expect(abs(spectrum.power(band) - amplitude * amplitude / 2) < 0.01 * amplitude * amplitude / 2)
    for other in Spectrum.Band.allCases where other != band {
      #expect(spectrum.power(other) < 0.05 * amplitude * amplitude / 2)
    }
  }

  @Test func testBands_TouchAndDoNotOverlap() {
    #expect(Spectrum.Band.vlf.range.upperBound == Spectrum.Band.lf.range.lowerBound)
    #expect(Spectrum.Band.lf.range.upperBound == Spectrum.Band.hf.range.lowerBound)
  }

  @Test func testGrid_IsAQuarterOfTheResolutionAndEndsBelowTheLastBand() throws {
    let spectrum = try #require(Spectrum([Double](repeating: 1000, count: 100)[...]))
    #expect(spectrum.frequency(0) == 1.0 / 400)
    #expect(spectrum.density.count == 159)
    #expect(spectrum.frequency(spectrum.density.count - 1) < 0.4)
  }

  /// The periodogram by its definition, with τ, for a few frequencies.
  @Test func testDensity_IsThatOfTheDefinition() throws {
    let intervals = (0..<200).map { 700 + Double(($0 * 7919) % 241) }
    let spectrum = try #require(Spectrum(intervals[...]))
    let total = intervals.reduce(0, +) / 1000
    let mean = intervals.reduce(0, +) / 200
    var times: [Double] = []
    for interval in intervals { times.append((times.last ?? 0) + interval / 1000) }
    for place in [0, 10, 77, spectrum.density.count - 1] {
      let omega = 2 * Double.pi * spectrum.frequency(place)
      // τ by bisection of Σ sin 2ω(t − τ), which falls through 0 at it.
      func skew(_ tau: Double) -> Double { times.reduce(0) { $0 + Self.sine(2 * omega * ($1 - tau)) } }
      let step = Double.pi / (2 * omega)
      var low = 0.0
      while !(skew(low) > 0 && skew(low + step / 64) <= 0) { low += step / 64 }
      var high = low + step / 64
      for _ in 0..<80 { if skew((low + high) / 2) > 0 { low = (low + high) / 2 } else { high = (low + high) / 2 } }
      var sums = (xc: 0.0, xs: 0.0, cc: 0.0, ss: 0.0)
      for (interval, time) in zip(intervals, times) {
        let (c, s) = (Self.sine(omega * (time - low) + Double.pi / 2), Self.sine(omega * (time - low)))
        sums = (
          sums.xc + (interval - mean) * c, sums.xs + (interval - mean) * s, sums.cc + c * c, sums.ss + s * s
        )
      }
      let power = (sums.xc * sums.xc / sums.cc + sums.xs * sums.xs / sums.ss) / 2
      let density = 2 * total / 200 * power
      #expect(abs(spectrum.density[place] - density) < 1e-6 * density)
    }
  }

  /// Lomb's form of it, with sums over all beats at each frequency.
  private static func density(_ intervals: [Double], at frequency: Double) -> Double {
    let (total, count) = (intervals.reduce(0, +), Double(intervals.count))
    let mean = total / count
    var (time, c, s, doubledC, doubledS) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for interval in intervals {
      time += interval
      let angle = 2 * Double.pi * frequency * time / 1000
      c += (interval - mean) * sine(angle + Double.pi / 2)
      s += (interval - mean) * sine(angle)
      doubledC += sine(2 * angle + Double.pi / 2)
      doubledS += sine(2 * angle)
    }
    let length = (doubledC * doubledC + doubledS * doubledS).squareRoot()
    let cosine = max(0, (1 + doubledC / length) / 2).squareRoot()
    let turned = (doubledS < 0 ? -1 : 1) * max(0, (1 - doubledC / length) / 2).squareRoot()
    let (along, across) = (c * cosine + s * turned, s * cosine - c * turned)
    return 2 * total / 1000 / count * (along * along / (count + length) + across * across / (count - length))
  }

  @Test(arguments: [2, 3, 10, 60, 347, 350, 1500])
  func testDensity_IsThatOfAllSumsAtAnyLength(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    let breathing = (0..<count).map { 850 + 60 * Self.sine(Double($0)) + 40 * random.unit() }
    var outlier = breathing
    outlier[count / 2] = 30_000
    for intervals in [breathing, outlier, breathing.map { $0 / 3 }, breathing.map { 2 * $0 }] {
      let spectrum = try #require(Spectrum(intervals[...]))
      let places = spectrum.density.indices
      let peak = spectrum.density.max() ?? 0
      for place in places where place % (1 + places.count / 40) == 0 || place == places.last {
        let expected = Self.density(intervals, at: spectrum.frequency(place))
        #expect(abs(spectrum.density[place] - expected) < 1e-9 * peak, "\(place) of \(places.count)")
      }
    }
  }

  @Test func testEqualIntervals_HaveNoPower() throws {
    // At 0.25 Hz all angles are alike: twice the frequency turns once an interval.
    let spectrum = try #require(Spectrum([Double](repeating: 2000, count: 150)[...]))
    #expect(spectrum.density.count == 479)
    #expect(spectrum.density.allSatisfy { $0 == 0 })
    let nearly = (0..<150).map { 2000 + ($0.isMultiple(of: 2) ? 1e-6 : -1e-6) }
    #expect(try #require(Spectrum(nearly[...])).density.allSatisfy { $0.isFinite && $0 >= 0 && $0 < 1e-6 })
  }

  @Test func testVeryLongIntervals_HaveASpectrum() throws {
    // So slow that there are a hundred frequencies an interval.
    let spectrum = try #require(Spectrum((0..<60).map { 60_000 + Double($0 % 7) }[...]))
    #expect(spectrum.density.count == 5760)
    #expect(spectrum.density.allSatisfy { $0.isFinite && $0 >= 0 })
  }

  @Test func testPowerInARange_IsOfTheFrequenciesInIt() throws {
    let spectrum = try #require(
      Spectrum([Double](repeating: 1000, count: 300).enumerated().map { $1 + Double($0 % 5) }[...]))
    for range in [0.0033..<0.04, 0.04..<0.15, 0.15..<0.4, 0..<0.001, 0.1..<0.1, 0.39..<9] {
      let inside = spectrum.density.indices.filter { range.contains(spectrum.frequency($0)) }
      #expect(Array(spectrum.places(in: range)) == inside)
    }
  }

  @Test(arguments: [[], [800.0], [0, 0]])
  func testTooFew_HaveNoSpectrum(intervals: [Double]) {
    #expect(Spectrum(intervals[...]) == nil)
  }

  // MARK: - Breathing

  private func metrics(_ intervals: [Double]) -> HRVMetrics {
    var accumulator = SeriesAccumulator()
    var sums = TimeDomainAccumulator()
    var last: NNInterval?
    for interval in intervals {
      accumulator.add(interval, followsGap: false)
      let nn = NNInterval(milliseconds: interval)
      sums.add(nn, after: last)
      last = nn
    }
    return accumulator.metrics(timeDomain: sums.metrics())
  }

  @Test(arguments: [12.0, 15, 20])
  func testBreathing_IsFoundWhereItStandsOut(rate: Double) throws {
    let found = metrics(sinusoid(amplitude: 30, frequency: rate / 60, seconds: 300))[.respirationRate]
    #expect(abs(try #require(found) - rate) < 0.3)
  }

  @Test func testNoise_HasNoBreathing() {
    var seed: UInt64 = 1
    let noise = (0..<375).map { _ -> Double in
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return 760 + Double(seed >> 40) / Double(1 << 24) * 80
    }
    #expect(metrics(noise).reason(for: .respirationRate) == .noDistinctPeak)
  }

  @Test func testBreathingAboveHalfTheHeartRate_IsRefused() {
    // At 30 beats a minute no rhythm above 15 a minute shows: what seems to be at 0.39 Hz mirrors a swing at 0.11 Hz.
    let slow = metrics(sinusoid(amplitude: 60, frequency: 0.11, seconds: 300, mean: 2000))
    guard case .beyondNyquist(let frequency, let limit) = slow.reason(for: .respirationRate) else {
      Issue.record("\(String(describing: slow.reason(for: .respirationRate)))")
      return
    }
    #expect(abs(limit - 0.25) < 0.01 && frequency > limit)
  }

  // MARK: - Minimums

  @Test func testMinimums_AreThoseOfTheBands() {
    for (seconds, missing) in [
      (50.0, [HRVMetric.hf, .lf, .vlf, .lfhf, .totalPower]), (100, [.lf, .vlf, .lfhf, .totalPower]),
      (200, [.vlf, .totalPower]), (310, []),
    ] {
      let metrics = metrics(sinusoid(amplitude: 20, frequency: 0.2, seconds: seconds))
      for metric in [HRVMetric.hf, .lf, .vlf, .lfhf, .totalPower] {
        #expect((metrics[metric] == nil) == missing.contains(metric), "\(metric) of \(seconds) s")
      }
    }
  }
}
