import Foundation
import Sleep
import TachogramCore

/// What the models of trees make of the files of a night.
struct NightFilesResult: Encodable {
  struct Model: Encodable {
    /// The features of all epochs, by name.
    let features: [String: [Double]]
    let probabilities: [[Double]]
    /// The stage of each epoch, also where data are missing, and the one that is shown.
    let stages: [String]
    let shown: [String]
    /// The time in seconds from the night to its stages.
    let seconds: Double
  }

  private let heartRate: [Double]?
  private let movement: [Double]?
  private let models: [String: Model]
  /// The time in seconds of all estimates, with reading of the models.
  private let seconds: Double

  init(_ files: NightRequest.Files) throws {
    func bytes(_ path: String?) throws -> [UInt8]? {
      try path.map { [UInt8](try Data(contentsOf: URL(fileURLWithPath: $0))) }
    }
    let night = try NightFiles.night(
      rr: bytes(files.rr), heartRate: bytes(files.heartRate), movement: bytes(files.movement))
    let series = NightSeries(night, isCausal: false)
    (heartRate, movement) = (series.heartRate?.values, series.movement?.values)
    var models: [String: Model] = [:]
    for inputs in StageModel.Inputs.allCases {
      if inputs.includeHeartRate && series.heartRate == nil || inputs.includeMovement && series.movement == nil {
        continue
      }
      for isCausal in [false, true] {
        guard let estimator = FourClassEstimator(inputs, isCausal: isCausal) else { continue }
        models[estimator.name] = Self.model(estimator, night, series)
      }
    }
    self.models = models
    let clock = ContinuousClock()
    seconds = clock.measure { _ = NightEstimates(night) } / .seconds(1)
  }

  private static func model(_ estimator: FourClassEstimator, _ night: SleepNight, _ series: NightSeries) -> Model {
    var shown: [SleepEpoch] = []
    let duration = ContinuousClock().measure { shown = estimator.epochs(of: night) }
    let features = estimator.model.features(of: series, epochCount: night.epochCount)
    let probabilities = estimator.model.probabilities(of: features, epochCount: night.epochCount)
      .map { row in row.indices.map { row[$0] } }
    let stages = probabilities.map { row in
      CoverageRule.stage(
        row, of: estimator.classes, weights: estimator.model.weights, epochCoverage: 1, windowCoverage: 1)
    }
    return Model(
      features: features.series.mapValues(\.values), probabilities: probabilities, stages: stages.map(\.rawValue),
      shown: shown.map(\.stage.rawValue), seconds: duration / .seconds(1))
  }
}
