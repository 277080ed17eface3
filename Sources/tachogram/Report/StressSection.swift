import Pipeline
import TachogramCore

/// The section `stress`.
struct StressSection: Encodable {
  struct Baseline: Encodable {
    let hrv: Double
    let restingHeartRate: Double
    let personal: Bool
    let samples: Int
  }

  var level: Double?
  var category: String?
  var mood: String?
  var confidence: Double?
  var hrv: Double?
  var heartRate: Double?
  let hrvMetric: String
  let baseline: Baseline
  var unavailable: String?

  init(_ report: SeriesReport) {
    hrvMetric = report.baseline.kind.rawValue
    baseline = Baseline(
      hrv: report.baseline.baselineHRV, restingHeartRate: report.baseline.restingHeartRate,
      personal: report.baseline.isPersonal, samples: report.baseline.sampleCount)
    switch report.stress {
    case .available(let result):
      level = result.level
      category = result.category.rawValue
      mood = result.mood.rawValue
      confidence = result.confidence
      hrv = result.hrv
      heartRate = result.heartRate
    case .unavailable(let absence):
      unavailable = Wording.text(absence)
    }
  }
}
