import Foundation
import Presentation
import Stress
import StressKit
import TachogramCore

/// What `baseline --format json` prints.
struct BaselineReport: Encodable {
  struct Metric: Encodable {
    let median: Double?
    let lowerQuartile: Double?
    let upperQuartile: Double?
    let windows: Int
    let outliers: Int
    /// Medians by hour of the day, "0" … "23".
    let hourly: [String: Double]
    let unavailable: String?
  }

  struct Windows: Encodable {
    let days: Int
    let windows: Int
    let metrics: [String: Metric]
    let restingHeartRate: Double?
    let unavailable: [String: String]
  }

  struct NormalRange: Encodable {
    let lower: Double
    let upper: Double
  }

  struct Mornings: Encodable {
    let level: String?
    let weekMornings: Int
    let mornings: Int
    let weekLnRMSSD: Double?
    let weekVariationPercent: Double?
    let normalLnRMSSD: NormalRange?
    let unavailable: [String]
  }

  let person: String?
  let date: String
  let timeZone: String
  let stress: [String: StressSection.Baseline]
  let baseline: Windows
  let readiness: Mornings

  init(_ answer: PersonBaselines) {
    person = answer.question.person
    date = answer.question.day.text
    timeZone = answer.question.timeZone.identifier
    stress = Dictionary(uniqueKeysWithValues: answer.stress.map { ($0.kind.rawValue, StressSection.Baseline($0)) })
    baseline = Windows(
      days: BaselineCalculator.days, windows: answer.windowCount,
      metrics: Dictionary(uniqueKeysWithValues: answer.metrics.map { ($0.metric.rawValue, Metric($0)) }),
      restingHeartRate: answer.restingHeartRate,
      unavailable: answer.restingHeartRate == nil
        ? ["restingHeartRate": Wording.missingRestingHeartRate(answer.windowCount)] : [:])
    readiness = Mornings(answer.readiness)
  }
}

extension BaselineReport.Metric {
  init(_ baseline: MetricBaseline) {
    median = baseline.quartiles?.median
    lowerQuartile = baseline.quartiles?.lower
    upperQuartile = baseline.quartiles?.upper
    windows = baseline.count
    outliers = baseline.outliers
    hourly = Dictionary(uniqueKeysWithValues: baseline.hourly.map { (String($0.key), $0.value) })
    unavailable = baseline.quartiles == nil ? Wording.missing(baseline) : nil
  }
}

extension BaselineReport.Mornings {
  init(_ readiness: Readiness) {
    level = readiness.level?.rawValue
    weekMornings = readiness.weekCount
    mornings = readiness.count
    weekLnRMSSD = readiness.weekMean
    weekVariationPercent = readiness.weekVariation
    normalLnRMSSD = readiness.normalRange.map { .init(lower: $0.lowerBound, upper: $0.upperBound) }
    unavailable = readiness.shortages.map(Wording.text)
  }
}
