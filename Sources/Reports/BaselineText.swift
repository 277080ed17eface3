import FoundationEssentials
import Presentation
import Recording
import Stress
import StressKit
import TachogramCore

/// The output of `baseline` as readable text.
package struct BaselineText {
  private var lines: [String] = []

  /// The text, with a line end.
  package var text: String { lines.joined(separator: "\n") + "\n" }

  package init(_ answer: PersonBaselines) {
    let question = answer.question
    let person = question.person.map { TerminalText.safe($0) } ?? "no person"
    lines.append("baseline of \(person) on \(question.day.text) (\(question.timeZone.identifier))")
    for (number, baseline) in answer.stress.enumerated() { row(number == 0 ? "stress" : "", Self.text(baseline)) }
    row("windows", "\(answer.windowCount) of 5 minutes in \(BaselineCalculator.days) days")
    for metric in answer.metrics { row("", Self.text(metric)) }
    row(
      "resting",
      answer.restingHeartRate.map { "\(Wording.rounded($0)) bpm" }
        ?? Wording.missingRestingHeartRate(answer.windowCount))
    addHours(answer.metrics)
    add(answer.readiness)
  }

  private static func text(_ baseline: PersonalBaseline) -> String {
    let values =
      "\(baseline.kind.rawValue.uppercased()) \(Wording.rounded(baseline.baselineHRV)) ms, "
      + "resting heart rate \(Wording.rounded(baseline.restingHeartRate)) bpm, "
    return values
      + (baseline.isPersonal ? "of \(baseline.sampleCount) measurements" : "default baseline, not yet personal")
  }

  private static func text(_ baseline: MetricBaseline) -> String {
    let (label, unit, digits) = Wording.name(baseline.metric)
    guard let quartiles = baseline.quartiles else { return "\(label): \(Wording.missing(baseline))" }
    let outliers = baseline.outliers == 0 ? "" : ", \(baseline.outliers) outliers left out"
    return "\(label) \(Wording.rounded(quartiles.median, digits: digits))\(unit), half of all "
      + "\(Wording.rounded(quartiles.lower, digits: digits)) to \(Wording.rounded(quartiles.upper, digits: digits)), "
      + "of \(baseline.count) windows\(outliers)"
  }

  // MARK: - Hours

  private mutating func addHours(_ metrics: [MetricBaseline]) {
    let hours = Set(metrics.flatMap(\.hourly.keys)).sorted()
    guard !hours.isEmpty else {
      return row("hours", "none has \(BaselineCalculator.minimumPerHour) windows yet")
    }
    for (number, hour) in hours.enumerated() {
      let values = metrics.compactMap { metric in
        metric.hourly[hour].map { value in
          let (label, unit, digits) = Wording.name(metric.metric)
          return "\(label) \(Wording.rounded(value, digits: digits))\(unit)"
        }
      }
      row(number == 0 ? "hours" : "", (hour < 10 ? "0" : "") + "\(hour)  " + values.joined(separator: ", "))
    }
  }

  // MARK: - Readiness

  private mutating func add(_ readiness: Readiness) {
    row("readiness", readiness.level.map { "\($0.rawValue) the normal range" } ?? "not known")
    for shortage in readiness.shortages { row("", Wording.text(shortage)) }
    if let mean = readiness.weekMean {
      let variation = readiness.weekVariation.map { ", varying by \(Wording.rounded($0)) %" } ?? ""
      row("", "7 days: ln RMSSD \(Wording.rounded(mean, digits: 3))\(variation), of \(readiness.weekCount) mornings")
    }
    if let range = readiness.normalRange {
      let lower = Wording.rounded(range.lowerBound, digits: 3)
      let upper = Wording.rounded(range.upperBound, digits: 3)
      row("", "60 days: normal is \(lower) to \(upper), of \(readiness.count) mornings")
    }
  }

  private mutating func row(_ label: String, _ value: String) {
    lines.append("  " + label + String(repeating: " ", count: max(1, 10 - label.count)) + value)
  }
}
