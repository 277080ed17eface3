import Sleep
import Testing

struct SleepNightTests {
  @Test func testImpossibleNights_AreRefused() {
    #expect(throws: SleepInputError.negativeLength(epochs: -1)) { try SleepNight(epochCount: -1) }
    #expect(throws: SleepInputError.tooLong(epochs: 20_161, limit: 20_160)) { try SleepNight(epochCount: 20_161) }
    #expect(throws: SleepInputError.tooLong(epochs: .max, limit: 20_160)) { try SleepNight(epochCount: .max) }
  }

  private static let impossible: [([(Int64, Double)], SleepInputError)] = [
    ([(-1, 60)], .beforeStart(position: 0)),
    ([(5, 60), (4, 60)], .unsorted(position: 1)),
    ([(5, 60), (5, .nan)], .invalidValue(position: 1)),
    ([(5, .infinity)], .invalidValue(position: 0)),
    ([(5, -1)], .invalidValue(position: 0)),
    ([(.max, 1)], .beyondAxis(position: 0)),
  ]

  @Test(arguments: impossible.indices)
  func testImpossibleSamples_AreRefused(number: Int) {
    let (samples, error) = Self.impossible[number]
    #expect(throws: error) {
      try SleepNight(epochCount: 2, heartRates: samples.map { HeartRateSample(time: $0.0, beatsPerMinute: $0.1) })
    }
    #expect(throws: error) {
      try SleepNight(epochCount: 2, movements: samples.map { MovementSample(time: $0.0, intensity: $0.1) })
    }
  }

  @Test func testImpossibleSleepers_AreRefused() {
    #expect(throws: SleepInputError.invalidTimeOfDay(second: 86_400)) { try Sleeper(startSecondOfDay: 86_400) }
    #expect(throws: SleepInputError.invalidTimeOfDay(second: -1)) { try Sleeper(startSecondOfDay: -1) }
    #expect(throws: SleepInputError.invalidAge(years: 131)) { try Sleeper(age: 131) }
    #expect(throws: SleepInputError.self) { try Sleeper(age: .nan) }
    #expect(throws: Never.self) { try Sleeper(startSecondOfDay: 0, age: 0, sex: .female) }
  }
}
