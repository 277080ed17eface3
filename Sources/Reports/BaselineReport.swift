import Foundation
import Presentation
import Recording
import Stress
import StressKit
import TachogramCore

/// The output of `baseline --format json`.
package struct BaselineReport: Encodable {
  package struct Metric: Encodable {
    package let median: Double?
    let lowerQuartile: Double?
    let upperQuartile: Double?
    package let windows: Int
    package let outliers: Int
    /// Medians by hour of the day, "0" … "23".
    package let hourly: [String: Double]
    package let unavailable: String?
  }

  package struct Windows: Encodable {
    package let days: Int
    package let windows: Int
    package let metrics: [String: Metric]
    package let restingHeartRate: Double?
    package let unavailable: [String: String]
  }

  struct NormalRange: Encodable {
    let lower: Double
    let upper: Double
  }

  package struct Mornings: Encodable {
    let level: String?
    let weekMornings: Int
    let mornings: Int
    let weekLnRMSSD: Double?
    let weekVariationPercent: Double?
    let normalLnRMSSD: NormalRange?
    let unavailable: [String]
  }

  package let person: String?
  package let date: String
  package let timeZone: String
  package let stress: [String: StressSection.Baseline]
  package let baseline: Windows
  package let readiness: Mornings

  package init(_ answer: PersonBaselines) {
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
  package init(_ baseline: MetricBaseline) {
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
  package init(_ readiness: Readiness) {
    level = readiness.level?.rawValue
    weekMornings = readiness.weekCount
    mornings = readiness.count
    weekLnRMSSD = readiness.weekMean
    weekVariationPercent = readiness.weekVariation
    normalLnRMSSD = readiness.normalRange.map { .init(lower: $0.lowerBound, upper: $0.upperBound) }
    unavailable = readiness.shortages.map(Wording.text)
  }
}
