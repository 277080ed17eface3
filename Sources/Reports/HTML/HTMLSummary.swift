import Pipeline
import Presentation
import Sessions
import TachogramCore

/// A short summary of the input, the method and the results.
struct HTMLSummary {
  private typealias Row = (label: String, values: [String])

  let report: InputReport
  let options: AnalysisOptions
  let version: String

  var element: Element {
    Element(
      "section", ["aria-labelledby": "summary-heading"],
      children: [
        Element("h2", ["id": "summary-heading"], "Summary"),
        table("What was analysed", input), table("How it was analysed", method), table("Artifacts by class", artifacts),
        table("Stress", stress),
      ])
  }

  private func table(_ caption: String, _ rows: [Row]) -> Element {
    var table = Element("table", ["class": "facts"], children: [Element("caption", [:], caption)])
    table.append(
      Element(
        "tbody",
        children: rows.map { row in
          let cells = row.values.map { Element("td", ["dir": "auto"], $0) }
          return Element("tr", children: [Element("th", ["scope": "row"], row.label)] + cells)
        }))
    return table
  }

  // MARK: - Input and method

  private var input: [Row] {
    let capture = report.capture
    let beats = report.main.beats
    var rows: [Row] = []
    if let strap = report.main.strap {
      let parts = [strap.name, strap.manufacturer, strap.model, strap.address].compactMap(\.self)
      rows.append(("Strap", [parts.isEmpty ? "unknown" : parts.map { TerminalText.safe($0) }.joined(separator: ", ")]))
    }
    if let session = report.main.session {
      rows.append(("Session", [TerminalText.safe(session.id)]))
      rows.append(("Start", [session.start]))
      if let person = session.person { rows.append(("Person", [TerminalText.safe(person)])) }
    }
    rows.append(("Format", [capture.format + (capture.dialect.map { ": \($0.text)" } ?? "")]))
    rows.append((capture.dialect == nil ? "Records" : "Lines", ["\(capture.records)"]))
    if capture.damaged > 0 { rows.append(("Passed over", ["\(capture.damaged)"])) }
    if capture.truncated { rows.append(("End", ["cut off within the data"])) }
    if capture.dropped > 0 { rows.append(("Dropped by the capturing system", ["\(capture.dropped) packets"])) }
    if capture.recordsWithoutTime > 0 { rows.append(("Without a time", ["\(capture.recordsWithoutTime) records"])) }
    if let text = report.main.notifications.account.text { rows.append(("Notifications left out", [text])) }
    rows.append(
      ("Intervals", ["\(beats.total) in \(ElapsedTime.text(beats.spanSeconds))"]))
    rows.append(("Coverage", [percent(beats.coverage)]))
    rows.append(("Gaps", [beats.gaps == 0 ? "none" : "\(beats.gaps), \(Wording.rounded(beats.gapSeconds)) s"]))
    if beats.outOfRange > 0 { rows.append(("Below 273 or above 2000 ms", ["\(beats.outOfRange)"])) }
    if beats.withoutContact > 0 { rows.append(("Without skin contact", ["\(beats.withoutContact)"])) }
    return rows
  }

  private var method: [Row] {
    [
      ("Artifact method", [options.artifacts.rawValue]),
      ("Spectrum, breathing, DFA", ["up to \(percent(options.limits.ofOrder)) artifacts"]),
      ("All other metrics", ["up to \(percent(options.limits.other)) artifacts"]),
      (
        "Corrected metrics but the mean",
        ["up to \(percent(options.limits.irregular)) irregular rhythm or repeated intervals"]
      ),
      ("Program", ["tachogram \(version)"]),
    ]
  }

  // MARK: - Results

  private var artifacts: [Row] {
    let section = report.main.artifacts
    let counts: [(BeatClass, Int)] = [
      (.ectopic, section.ectopic), (.missed, section.missed), (.extra, section.extra), (.longShort, section.longShort),
    ]
    let rows: [Row] = counts.map { beatClass, count in
      let label = ArtifactMark.label(beatClass)
      return ("\(label.prefix(1).uppercased())\(label.dropFirst())", ["\(count)"])
    }
    return rows + [
      ("Above 3 s, and so gaps", ["\(section.gaps)"]),
      ("Share of the intervals that cannot be trusted", [percent(section.share)]),
    ]
  }

  private var stress: [Row] {
    let stress = report.main.stress
    guard let level = stress.level, let category = stress.category, let mood = stress.mood,
      let confidence = stress.confidence
    else { return [("Level", ["none: \(stress.unavailable ?? "unknown")"])] }
    let baseline = stress.baseline
    return [
      ("Level, 0 to 100", ["\(Wording.rounded(level)), \(category) (\(mood))"]), ("Confidence", [percent(confidence)]),
      (
        "Baseline",
        [
          "\(baseline.personal ? "personal" : "default, not yet personal"): \(stress.hrvMetric.uppercased()) "
            + "\(Wording.rounded(baseline.hrv)) ms, resting heart rate \(Wording.rounded(baseline.restingHeartRate)) bpm"
        ]
      ), ("Computed of", ["the last 5 minutes, corrected"]),
    ]
  }

  private func percent(_ share: Double) -> String { "\(Wording.rounded(share * 100)) %" }
}
