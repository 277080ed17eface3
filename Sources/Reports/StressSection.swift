import Pipeline
import Presentation
import StressKit
import TachogramCore

/// The section `stress`.
package struct StressSection: Encodable {
  package struct Baseline: Encodable {
    let hrv: Double
    let restingHeartRate: Double
    let personal: Bool
    let samples: Int

    init(_ baseline: PersonalBaseline) {
      hrv = baseline.baselineHRV
      restingHeartRate = baseline.restingHeartRate
      personal = baseline.isPersonal
      samples = baseline.sampleCount
    }
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
    baseline = Baseline(report.baseline)
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
