import Sleep
import Testing

struct SleepECGNetworkTests {
  @Test func testProbabilities_AreThoseOfAnIndependentComputation() throws {
    let nights = try SleepFixture.features()
    let cases = try SleepFixture.network()
    #expect(cases.count == 24)
    for one in cases {
      let model = try #require(SleepECGModel(rawValue: one.model))
      let night = try #require(nights.first { $0.name == one.name && $0.window == model.window.rawValue })
      let features = SleepECGFeatures(
        try NightBeats(beatsAt: night.beats), epochCount: night.epochs, window: model.window)
      let network = try #require(SleepECGNetwork(model))
      let found = network.probabilities(of: features, sleeper: one.sleeper.map { Float($0.value) })
      #expect(found.count == one.probabilities.count)
      for (epoch, (row, reference)) in zip(found, one.probabilities).enumerated() {
        #expect(row.count == model.classes.count + 1)
        for (value, expected) in zip(row, reference) {
          #expect(abs(Double(value) - expected) < 1e-5, "\(one.name), \(model), epoch \(epoch)")
        }
      }
    }
  }

  @Test(arguments: SleepECGModel.allCases)
  func testTrainingMeans_AreOfOlderPeopleInTheEvening(model: SleepECGModel) throws {
    let network = try #require(SleepECGNetwork(model))
    #expect((60...75).contains(network.trainingMean(of: .age)))
    #expect((20 * 3600...22 * 3600).contains(network.trainingMean(of: .recordingStartTime)))
    #expect((0.4...0.5).contains(network.trainingMean(of: .gender)))
  }
}
