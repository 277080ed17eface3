/// The text of a glance for status bars: one line for `inline`, `circular` and `small`, two for `rectangular` and `medium`, three
/// for `large`. If the reading is stale, the first line begins with that, so that a bar that cuts lines off never shows the
/// values alone.
struct GlanceText {
  let content: GlanceContent
  let summary: GlanceSummary

  private var wording: GlanceWording { GlanceWording(content: content) }

  /// Returns the text of a family, with a line end behind each line.
  func text(_ family: GlanceFamily) -> String {
    lines(family).map { $0 + "\n" }.joined()
  }

  /// Returns the lines of a family.
  func lines(_ family: GlanceFamily) -> [String] {
    switch family {
    case .circular: [first(level: wording.level.map { [$0] })]
    case .inline: [values]
    case .small: [values + name]
    case .rectangular, .medium: [values + name, details]
    case .large: [values + name, details, day]
    }
  }

  // MARK: - Lines

  /// The stress level and the heart rate.
  private var values: String {
    first(level: wording.level.map { ["Stress \($0)"] + [wording.heartRate].compactMap { $0 } })
  }

  private func first(level: [String]?) -> String {
    guard content.reading != nil else { return wording.statusLine }
    let parts =
      level ?? [wording.heartRate, GlanceWording.noStressLevel.lowercased()].compactMap { $0 }
    let values = parts.joined(separator: ", ")
    guard content.state != .current else { return values }
    return GlanceWording.capitalised(wording.statusLine) + ": " + values
  }

  /// At the end of a line: names that are written from right to left would reorder digits behind them.
  private var name: String { content.name?.plain.map { " - \($0)" } ?? "" }

  private var details: String {
    var parts: [String] = []
    if let rmssd = content.reading?.rmssd { parts.append("RMSSD \(GlanceWording.whole(rmssd)) ms") }
    if let sdnn = content.reading?.sdnn { parts.append("SDNN \(GlanceWording.whole(sdnn)) ms") }
    if let trend = summary.trend {
      let sign = trend.change >= 0.5 ? "+" : ""
      parts.append("6-hour trend \(trend.direction.rawValue) (\(sign)\(GlanceWording.whole(trend.change)))")
    } else {
      parts.append("no 6-hour trend yet")
    }
    return GlanceWording.capitalised(parts.joined(separator: ", "))
  }

  private var day: String {
    var parts: [String] = []
    if let range = summary.stressLevel { parts.append("stress \(GlanceWording.text(range))") }
    if let range = summary.heartRate { parts.append("heart rate \(GlanceWording.text(range)) bpm") }
    return "Last 24 h: " + (parts.isEmpty ? "no values" : parts.joined(separator: "; "))
  }
}
