import Pipeline
import Presentation
import Sessions
import TachogramCore

/// A report as readable text.
package struct TextReport {
  /// The number of columns of a value that can be wrapped.
  private static let widest = 68

  private var lines: [String] = []

  /// The report as text, with a line end.
  package var text: String { lines.joined(separator: "\n") + "\n" }

  package init(title: String, _ report: InputReport) {
    lines.append(TerminalText.line(title))
    add(report.capture)
    // Notifications that are not counted in the rows of the straps.
    if let total = report.capture.notifications,
      !report.otherStraps.isEmpty || total.leftOut > report.main.notifications.account.leftOut, let text = total.text
    {
      wrap("left out", "in all \(text)")
    }
    add(report.main)
    for strap in report.otherStraps {
      lines.append("")
      add(strap)
    }
  }

  /// Creates the report of a recording.
  package init(_ recording: RecordReport) {
    lines.append(TerminalText.line("recorded into \(recording.database)"))
    for (number, strap) in recording.sessions.enumerated() {
      if number > 0 { lines.append("") }
      add(strap.report)
      add(strap.links)
    }
  }

  private mutating func add(_ links: RecordReport.Links) {
    var parts = [links.total == 1 ? "1" : "\(links.total)"]
    let drops = links.drops.values.reduce(0, +)
    if drops > 0 {
      let reasons = links.drops.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
        "\($0.value) × \(Self.why($0.key))"
      }
      parts.append("lost \(drops) time(s): \(reasons.joined(separator: ", "))")
    }
    if let outage = links.longestOutageSeconds {
      parts.append("\(Wording.rounded(outage)) s without data at the longest")
    }
    row("links", parts.joined(separator: ", "))
  }

  /// Returns readable text for the reason of a link's end, by its HCI error code (Core Specification 5.4, Vol 1, Part F).
  private static func why(_ code: String) -> String {
    switch code {
    case "0x00": "reason unknown"
    case "0x05", "0x06": "the bond was lost"
    case "0x08": "out of range"
    case "0x13", "0x14", "0x15": "ended by the strap"
    case "0x3b": "connection parameters refused"
    case "0x3e": "connection not established"
    default: "code \(code)"
    }
  }

  private mutating func add(_ capture: CaptureSection) {
    let unit = capture.dialect == nil ? "records" : "lines"
    var parts = ["\(capture.format), \(capture.records) \(unit)"]
    if capture.damaged > 0, capture.dialect != nil {
      parts.append("\(capture.damaged) passed over")
    } else if capture.damaged > 0 {
      parts.append("\(capture.damaged) damaged (\(capture.damagedBytes) bytes passed over)")
    }
    if capture.truncated { parts.append("cut off at the end") }
    if capture.encryptedPackets > 0 { parts.append("\(capture.encryptedPackets) encrypted packets") }
    if capture.corruptPackets > 0 { parts.append("\(capture.corruptPackets) packets received with errors") }
    if capture.malformedPackets > 0 { parts.append("\(capture.malformedPackets) malformed packets") }
    if capture.clockSteps > 0 { parts.append("clock set back \(capture.clockSteps) time(s)") }
    row("input", parts.joined(separator: ", "))
    if capture.dropped > 0 { row("", "\(capture.dropped) packets dropped by the capturing system") }
    if capture.dropCounterResets > 0 {
      row("", "the counter of dropped packets went back \(capture.dropCounterResets) time(s)")
    }
    if let first = capture.firstRecordWithoutTime {
      row("", "\(capture.recordsWithoutTime) records without a time, the first at byte \(first)")
    }
    if let dialect = capture.dialect { row("", dialect.text) }
    for handle in capture.handles where handle.source != "discovered" {
      row("", "handle \(handle.handle) of \(handle.strap) is \(handle.source)")
    }
    for handle in capture.reassignedHandles.prefix(5) {
      row("", "handle \(handle.handle) of \(handle.strap) became something else: \(handle.notifications) notifications")
    }
    for handle in capture.unidentifiedHandles.prefix(5) {
      row(
        "",
        "handle \(handle.handle) of \(handle.strap) is not named: \(handle.notifications) notifications that could be")
      row("", "heart rate; if they are, use --handle \(handle.handle)")
    }
    for damage in capture.damages.prefix(5) {
      row("", capture.dialect != nil ? damage.problem : "at byte \(damage.offset): \(damage.problem)")
    }
  }

  private mutating func add(_ report: StrapReport) {
    if let strap = report.strap {
      var parts = [
        strap.name.map { TerminalText.safe($0) } ?? "strap without a name", strap.address ?? "address unknown",
      ]
      if let model = strap.model { parts.append(TerminalText.safe(model)) }
      if let battery = strap.batteryPercent { parts.append("battery \(battery) %") }
      if let location = strap.sensorLocation { parts.append(location) }
      row("strap", parts.joined(separator: ", "))
    }
    if let session = report.session {
      row("session", session.id + (session.person.map { " of \(TerminalText.safe($0))" } ?? ""))
      row("start", session.start)
      add(report.notifications, report.heartRate)
    } else if let text = report.notifications.account.text {
      wrap("left out", text)
    }
    add(report.beats)
    add(report.artifacts, of: report)
    add(report.hrv)
    add(report.stress)
  }

  private mutating func add(_ notifications: NotificationsSection, _ heartRate: HeartRateSection?) {
    var parts = ["\(notifications.total)"]
    if notifications.malformed > 0 { parts.append("\(notifications.malformed) malformed (kept raw)") }
    if notifications.withoutRR > 0 { parts.append("\(notifications.withoutRR) without RR") }
    if notifications.withoutContact > 0 { parts.append("\(notifications.withoutContact) without skin contact") }
    if let energy = notifications.energyExpendedKJ { parts.append("\(energy) kJ expended") }
    row("notified", parts.joined(separator: ", "))
    if notifications.total > 0, notifications.withoutRR == notifications.total, notifications.pulseFrames == nil {
      wrap(
        "",
        "This strap sends no RR intervals. If it is an optical sensor of Polar, record --ppi takes its pulse intervals."
      )
    }
    if let text = notifications.account.text { wrap("left out", text) }
    if let frames = notifications.pulseFrames {
      let malformed = notifications.malformedPulseFrames ?? 0
      row("pulses", "\(frames) frames of intervals" + (malformed > 0 ? ", \(malformed) malformed (kept raw)" : ""))
    }
    if let heartRate {
      row("rate", "\(Wording.rounded(heartRate.mean)) bpm as reported (\(heartRate.lowest) to \(heartRate.highest))")
    }
  }

  private mutating func add(_ beats: BeatsSection) {
    var parts = ["\(beats.total) in \(Wording.rounded(beats.spanSeconds)) s"]
    parts.append("coverage \(Wording.rounded(beats.coverage * 100)) %")
    if beats.gaps > 0 { parts.append("\(beats.gaps) gaps (\(Wording.rounded(beats.gapSeconds)) s)") }
    if beats.outOfRange > 0 { parts.append("\(beats.outOfRange) out of range") }
    row("beats", parts.joined(separator: ", "))
  }

  private mutating func add(_ artifacts: ArtifactsSection, of report: StrapReport) {
    let gaps = artifacts.gaps > 0 ? " (\(artifacts.gaps) above 3 s)" : ""
    let counts = [
      (artifacts.ectopic, "ectopic"), (artifacts.missed, "with missed beats"), (artifacts.extra, "with extra beats"),
      (artifacts.longShort, "too long or too short" + gaps), (report.beats.outOfRange, "out of range"),
      (report.beats.withoutContact, "without skin contact"), (artifacts.impossible ?? 0, "that are no intervals"),
      (artifacts.unusableTimes ?? 0, "of unusable time"),
    ]
    var parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    if report.hrv.irregularShare > 0 { parts.append("an irregular rhythm") }
    let share = "\(Wording.rounded(artifacts.share * 100)) % of the intervals cannot be trusted"
    if report.beats.total == 0, parts.isEmpty { return }
    wrap("artifacts", parts.isEmpty ? "none" : parts.joined(separator: ", ") + "; " + share)
  }

  private mutating func add(_ hrv: HRVSection) {
    let table = MetricsTable(raw: hrv.raw, corrected: hrv.corrected).lines
    if table.isEmpty { row("HRV", "none") }
    for (place, line) in table.enumerated() {
      lines.append(place == 0 ? "  HRV " + line.dropFirst(2) : "    " + line)
    }
    if hrv.raw.ultraShort { wrap("", "below 4 minutes, not comparable with 5-minute norms") }
    let missing = (raw: hrv.raw.unavailable, corrected: hrv.corrected.unavailable)
    addReasons(missing.corrected.filter { missing.raw[$0.key] != nil }, note: "")
    addReasons(missing.corrected.filter { missing.raw[$0.key] == nil }, note: " (corrected)")
    addReasons(missing.raw.filter { missing.corrected[$0.key] == nil }, note: " (raw)")
    if let segments = hrv.segments, segments.count > 1 { add(segments) }
  }

  /// Adds the medians, one group of metrics per line.
  private mutating func add(_ segments: SegmentsSection) {
    wrap("segments", "\(segments.count) of 5 minutes, median of the corrected ones that have a value:")
    for group in MetricGroup.allCases {
      let parts = group.metrics.compactMap { metric in
        segments.corrected.median[metric.rawValue].map { Self.value(metric, $0) }
      }
      if !parts.isEmpty { wrap("", parts.joined(separator: ", ")) }
    }
  }

  private static func value(_ metric: HRVMetric, _ value: Double) -> String {
    let name = Wording.name(metric)
    return "\(name.label) \(Wording.rounded(value, digits: name.digits))\(name.unit)"
  }

  /// Adds the keys of metrics without a value, grouped by reason.
  private mutating func addReasons(_ reasons: [String: String], note: String) {
    for reason in Set(reasons.values).sorted() {
      let metrics = HRVMetric.allCases.filter { reasons[$0.rawValue] == reason }.map { Wording.name($0).label }
      wrap("", "no \(metrics.joined(separator: ", "))\(note): \(reason)")
    }
  }

  private mutating func add(_ stress: StressSection) {
    if let level = stress.level, let category = stress.category, let mood = stress.mood,
      let confidence = stress.confidence
    {
      let baseline = stress.baseline.personal ? "personal baseline" : "default baseline, not yet personal"
      wrap(
        "stress",
        "\(Wording.rounded(level)) \(category) (\(mood)), confidence \(Wording.rounded(confidence * 100)) %, \(baseline)",
      )
    } else {
      wrap("stress", "none: \(stress.unavailable ?? "unknown")")
    }
  }

  /// Adds a row whose value is wrapped if the line would exceed 80 columns.
  private mutating func wrap(_ label: String, _ value: String) {
    var label = label
    var line = ""
    for word in value.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > Self.widest {
        row(label, line)
        (label, line) = ("", "")
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    row(label, line)
  }

  private mutating func row(_ label: String, _ value: String) {
    lines.append("  " + label + String(repeating: " ", count: max(1, 10 - label.count)) + value)
  }
}
