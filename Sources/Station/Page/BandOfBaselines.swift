import Dashboard
import Recording
import Stress
import TachogramCore

extension API.Band {
  private static let shown: [HRVMetric] = [.sdnn, .rmssd, .meanHeartRate]

  /// Returns the bands of a person's usual values by metric, for metrics with enough data.
  static func bands(_ baselines: PersonBaselines) -> [String: API.Band] {
    let bands = baselines.metrics.filter { shown.contains($0.metric) }.compactMap { baseline in
      baseline.quartiles.map { quartiles in
        (baseline.metric.rawValue, API.Band(low: quartiles.lower, middle: quartiles.median, high: quartiles.upper))
      }
    }
    return Dictionary(uniqueKeysWithValues: bands)
  }
}
