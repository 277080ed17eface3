import Sleep
import TachogramCore
import Testing

/// Features, probabilities and stages are those of the reference in plain Python.
struct StageModelTests {
  private static func isClose(_ value: Double, _ reference: Double) -> Bool {
    value.isNaN ? reference.isNaN : abs(value - reference) <= max(1e-9 * abs(reference), 1e-12)
  }

  private static func inputs(_ name: String) throws -> StageModel.Inputs {
    try #require(StageModel.Inputs(rawValue: name))
  }

  @Test func testFeatures_AreThoseOfTheReference() throws {
    let cases = try SleepFixture.trees()
    #expect(cases.count == 18)
    for one in cases {
      let (rate, movement) = (one.heartRate?.map(\.value), one.movement?.map(\.value))
      let features = EpochFeatures(
        rate?.count ?? movement?.count ?? 0, heartRate: rate.map(EpochSeries.init),
        movement: movement.map(EpochSeries.init), isCausal: one.isCausal)
      #expect(features.series.keys.sorted() == one.names, "\(one.name)")
      for (place, row) in one.features.enumerated() {
        for (name, reference) in zip(one.names, row) {
          let value = try #require(features.series[name]).values[place * one.step]
          #expect(
            Self.isClose(value, reference.value), "\(one.name), \(name), epoch \(place * one.step), \(one.isCausal)")
        }
      }
    }
  }

  @Test func testProbabilities_AreThoseOfTheReference() throws {
    for one in try SleepFixture.trees() {
      let (rate, movement) = (one.heartRate?.map(\.value), one.movement?.map(\.value))
      let night = try SeriesNight.night(heartRate: rate, movement: movement)
      let series = NightSeries(night, isCausal: one.isCausal)
      for (name, reference) in one.models {
        let model = try #require(StageModel(Self.inputs(name), isCausal: one.isCausal))
        let features = model.features(of: series, epochCount: night.epochCount)
        let trees = model.treeProbabilities(of: features, epochCount: night.epochCount)
        let chain = model.probabilities(of: features, epochCount: night.epochCount)
        #expect(trees.count == night.epochCount && chain.count == night.epochCount)
        for (found, expected) in [(trees, reference.trees), (chain, reference.chain)] {
          for (place, row) in expected.enumerated() {
            for (column, value) in row.enumerated() {
              #expect(Self.isClose(found[place * one.step][column], value), "\(one.name), \(name), \(place)")
            }
          }
        }
      }
    }
  }

  /// Where the epoch and half of those around it have data, the stage is that of the reference; elsewhere it is no more than sleep or
  /// wake.
  @Test func testStages_AreThoseOfTheReferenceWhereDataAre() throws {
    var (compared, hidden) = (0, 0)
    for one in try SleepFixture.trees() {
      let (rate, movement) = (one.heartRate?.map(\.value), one.movement?.map(\.value))
      let night = try SeriesNight.night(heartRate: rate, movement: movement)
      for (name, reference) in one.models {
        let inputs = try Self.inputs(name)
        let estimator = try #require(FourClassEstimator(inputs, isCausal: one.isCausal))
        let known = try #require(inputs.includeHeartRate ? rate : movement).map { !$0.isNaN }
        let epochs = estimator.epochs(of: night)
        #expect(epochs.count == reference.stages.count)
        for (epoch, digit) in zip(epochs, reference.stages) {
          let around = known[max(0, epoch.index - 5)...min(known.count - 1, epoch.index + (one.isCausal ? 0 : 5))]
          let isCovered = 2 * around.count { $0 } >= around.count
          #expect(epoch.coverage == (known[epoch.index] ? 1 : 0))
          #expect(epoch.probabilities.count == (isCovered ? 4 : 0))
          if isCovered, known[epoch.index] {
            #expect(epoch.stage == estimator.classes[try #require(digit.wholeNumberValue)], "\(one.name), \(name)")
            compared += 1
          } else {
            let isAllowed = isCovered ? [.asleep, .wake, .unknown].contains(epoch.stage) : epoch.stage == .unknown
            #expect(isAllowed, "\(one.name), \(name), epoch \(epoch.index)")
            hidden += 1
          }
        }
      }
    }
    #expect(compared > 2000 && hidden > 100)
  }

  @Test(arguments: StageModel.Inputs.allCases)
  func testCausalModel_IgnoresWhatFollows(inputs: StageModel.Inputs) throws {
    let one = try #require(try SleepFixture.trees().first { $0.heartRate != nil && $0.movement != nil })
    let (rate, movement) = (one.heartRate?.map(\.value), one.movement?.map(\.value))
    let estimator = try #require(FourClassEstimator(inputs, isCausal: true))
    let all = estimator.epochs(of: try SeriesNight.night(heartRate: rate, movement: movement))
    for count in [1, 2, 60, 200] {
      let part = try SeriesNight.night(
        heartRate: rate.map { Array($0.prefix(count)) }, movement: movement.map { Array($0.prefix(count)) })
      #expect(estimator.epochs(of: part) == Array(all.prefix(count)))
    }
  }

  @Test func testModels_HaveAttributionAndAgreement() throws {
    for inputs in StageModel.Inputs.allCases {
      for isCausal in [false, true] {
        let model = try #require(StageModel(inputs, isCausal: isCausal))
        #expect(model.attribution.contains("Olivia Walch") && model.attribution.contains("Open Data Commons"))
        let kappa = try #require(model.agreement.fourClasses)
        #expect(kappa.low < kappa.value && kappa.value < kappa.high && kappa.value < 0.8)
      }
    }
  }

  @Test func testNightWithoutItsInput_IsUnknown() throws {
    for inputs in StageModel.Inputs.allCases {
      let estimator = try #require(FourClassEstimator(inputs, isCausal: false))
      #expect(estimator.epochs(of: try SleepNight(epochCount: 0)).isEmpty)
      let epochs = estimator.epochs(of: try SleepNight(epochCount: 20))
      #expect(epochs.count == 20 && epochs.allSatisfy { $0.stage == .unknown && $0.coverage == 0 })
    }
  }

  /// A week, the longest night, needs no more than its share of time: nothing grows with the square of the length.
  @Test func testLongestNight_IsStaged() throws {
    let count = SleepAxis.maximumEpochCount
    let rate = (0..<count).map { 60 + Double($0 * 7919 % 100) / 10 }
    let movement = (0..<count).map { $0 * 104_729 % 13 == 0 ? Double($0 % 7) : 0 }
    let night = try SeriesNight.night(heartRate: rate, movement: movement)
    for isCausal in [false, true] {
      let estimator = try #require(FourClassEstimator(.heartRateAndMovement, isCausal: isCausal))
      let clock = ContinuousClock()
      var epochs: [SleepEpoch] = []
      let duration = clock.measure { epochs = estimator.epochs(of: night) }
      #expect(epochs.count == count && epochs.allSatisfy { $0.stage != .unknown })
      #expect(duration < .seconds(30))
    }
  }
}
