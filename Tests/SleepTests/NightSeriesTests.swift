import Foundation
import Sleep
import Testing

struct NightSeriesTests {
  private static let epoch = SleepAxis.ticksPerEpoch

  @Test func testEqualTimes_CountOnceWithTheLowest() throws {
    let samples = [(100, 70.0), (100, 60), (100, 65), (200, 80), (Self.epoch, 50)]
    let night = try SleepNight(
      epochCount: 3, heartRates: samples.map { HeartRateSample(time: Int64($0), beatsPerMinute: $1) })
    let values = try #require(NightSeries(night, isCausal: false).heartRate).values
    #expect(values[0] == 70 && values[1] == 50 && values[2].isNaN)
  }

  /// Of beats, the heart rate is the number of valid intervals over their sum, if that is a third of the epoch.
  @Test func testBeats_GiveTheirNumberOverTheirSum() throws {
    // Intervals of 0.75 s in the first epoch; 9.75 s in the second, then a pause.
    let times = (0...52).map { Int64($0) * 768 }
    let night = try SleepNight(epochCount: 2, beats: NightBeats(beatsAt: times))
    let values = try #require(NightSeries(night, isCausal: false).heartRate).values
    #expect(values[0] == 80 && values[1].isNaN)
    let longer = try NightBeats(beatsAt: times + [Int64(53 * 768)])
    let other = try #require(NightSeries(try SleepNight(epochCount: 2, beats: longer), isCausal: false).heartRate)
    #expect(other.values == [80, 80])
  }

  @Test func testSourceWithMoreEpochs_IsUsed() throws {
    let beats = try NightBeats(beatsAt: (0...200).map { Int64($0) * 768 })
    func rate(samples: Int) throws -> Double {
      let rates = (0..<samples).map { HeartRateSample(time: Int64($0) * Self.epoch, beatsPerMinute: 50) }
      let night = try SleepNight(epochCount: 5, beats: beats, heartRates: rates)
      return try #require(NightSeries(night, isCausal: false).heartRate).values[0]
    }
    #expect(try rate(samples: 4) == 80)
    #expect(try rate(samples: 5) == 50)
  }

  /// Amounts of movement are smoothed with a Gaussian of 50 s, and for causal estimators with what is 150 s ahead at most.
  @Test func testAmounts_AreSmoothed() throws {
    let amounts = [0.0, 0, 4, .nan, 1, 0, 0, 0, 2, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0]
    let samples = amounts.enumerated().filter { !$1.isNaN }
      .map { MovementSample(time: Int64($0) * Self.epoch, intensity: $1) }
    let night = try SleepNight(epochCount: amounts.count, movements: samples)
    for isCausal in [false, true] {
      let values = try #require(NightSeries(night, isCausal: isCausal).movement).values
      for (place, value) in values.enumerated() {
        guard !amounts[place].isNaN else {
          #expect(value.isNaN)
          continue
        }
        let near = amounts.enumerated().filter { other, amount in
          !amount.isNaN && other - place >= -9 && other - place <= (isCausal ? 5 : 9)
        }
        let weights = near.map { exp(-0.5 * pow(30 * Double($0.offset - place) / 50, 2)) }
        let expected = zip(weights, near).reduce(0) { $0 + $1.0 * $1.1.element } / weights.reduce(0, +)
        #expect(abs(value - expected) < 1e-12)
      }
    }
  }
}
