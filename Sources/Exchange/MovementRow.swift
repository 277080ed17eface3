import TachogramCore

/// The movement of an epoch in the JSON export: its intensity in milli-g.
struct MovementRow: Codable {
  let monotonicUs: Int64
  let intensity: Double
  let coverage: Double

  init(_ epoch: MovementEpoch) {
    monotonicUs = epoch.time.microseconds
    intensity = epoch.intensity
    coverage = epoch.coverage
  }

  /// The key of a value that is invalid in an epoch, or `nil`.
  var wrongKey: String? {
    let values: [(key: String, isRight: Bool)] = [
      ("monotonicUs", monotonicUs.magnitude < SessionArchive.latest),
      ("intensity", (0...100_000).contains(intensity)), ("coverage", (0...1).contains(coverage)),
    ]
    return values.first { !$0.isRight }?.key
  }

  var epoch: MovementEpoch {
    MovementEpoch(time: MonotonicTime(microseconds: monotonicUs), intensity: intensity, coverage: coverage)
  }
}
