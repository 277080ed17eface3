import Sleep
import TachogramCore

/// What `Sleep` makes of a night.
struct NightResult: Encodable {
  /// The features of each epoch, by window.
  private let features: [String: [[Double]]]
  /// The probabilities of each epoch for each of the sleepers, by model.
  private let probabilities: [String: [[[Float]]]]
  /// The stages, by estimator.
  private let stages: [String: [String]]
  /// The time in seconds that features took, by window, and the fastest pass of a network, by model.
  private let seconds: [String: Double]

  init(_ request: NightRequest) throws {
    let beats = try NightBeats(beatsAt: request.beats ?? [])
    let night = try SleepNight(
      epochCount: request.epochs ?? 0, beats: beats,
      heartRates: Self.samples(request.heartRates).map { HeartRateSample(time: $0, beatsPerMinute: $1) },
      movements: Self.samples(request.movements).map { MovementSample(time: $0, intensity: $1) })
    let clock = ContinuousClock()
    var (seconds, features) = ([String: Double](), [SleepECGWindow: SleepECGFeatures]())
    for window in SleepECGWindow.allCases {
      let duration = clock.measure {
        features[window] = SleepECGFeatures(beats, epochCount: night.epochCount, window: window)
      }
      seconds[window.rawValue] = duration / .seconds(1)
    }
    var (probabilities, stages) = ([String: [[[Float]]]](), [String: [String]]())
    for model in SleepECGModel.allCases {
      guard let network = SleepECGNetwork(model), let estimator = SleepECGEstimator(model),
        let features = features[model.window]
      else { continue }
      probabilities[model.rawValue] = (request.sleepers ?? []).map { sleeper in
        var rows: [[Float]] = []
        let duration = clock.measure {
          rows = network.probabilities(of: features, sleeper: sleeper.map { $0 ?? .nan })
        }
        seconds[model.rawValue] = min(seconds[model.rawValue] ?? .infinity, duration / .seconds(1))
        return rows
      }
      stages[estimator.name] = Self.names(night, estimator)
    }
    stages[FiveMinuteHeuristic().name] = Self.names(night, FiveMinuteHeuristic())
    self.features = features.reduce(into: [:]) { rows, pair in
      rows[pair.key.rawValue] = (0..<night.epochCount).map { Array(pair.value.row($0)) }
    }
    (self.probabilities, self.stages, self.seconds) = (probabilities, stages, seconds)
  }

  private static func names(_ night: SleepNight, _ estimator: any SleepStagingProtocol) -> [String] {
    StagedNight(night, by: estimator).stages.map(\.rawValue)
  }

  private static func samples(_ pairs: [[Double]]?) throws -> [(Int64, Double)] {
    try (pairs ?? []).enumerated().map { position, pair in
      guard pair.count == 2, let time = Int64(exactly: pair[0].rounded()) else {
        throw SleepInputError.invalidValue(position: position)
      }
      return (time, pair[1])
    }
  }
}
