import StressKit

/// The words of a glance, in English.
struct GlanceWording {
  static let noReading = "No reading yet"
  static let notConnected = "Not connected"
  static let noStressLevel = "No stress level yet"

  let content: GlanceContent

  /// The state in one or two lines: always that a reading is stale or that the strap is not connected, and since when.
  var status: [String] {
    var lines = content.isConnected ? [] : [Self.notConnected]
    guard let reading = content.reading else { return lines + [Self.noReading] }
    let time = content.clock.text(reading.time, asOf: content.time)
    switch content.state {
    case .stale: lines.append("stale since \(time)")
    case .current, .noReading: lines.append("as of \(time)")
    }
    return lines
  }

  /// The state in one line, such as "Not connected, stale since 12:40".
  var statusLine: String {
    status.enumerated().map { $0.offset == 0 ? $0.element : Self.uncapitalised($0.element) }.joined(separator: ", ")
  }

  /// The level and its category, such as "38 Mild"; `nil` without a stress level.
  var level: String? {
    content.reading?.stress.map { "\(Self.whole($0.level)) \($0.category.displayName)" }
  }

  /// The heart rate with its unit; `nil` without one.
  var heartRate: String? { content.reading?.heartRate.map { "\(Self.whole($0)) bpm" } }

  // MARK: - For those who do not see it

  /// The title of the picture.
  var title: String { content.name.map { "Stress of \($0.text)" } ?? "Stress" }

  /// All values of the last reading in sentences, with the state first.
  func description(_ family: GlanceFamily, _ summary: GlanceSummary) -> String {
    var sentences: [String] = []
    if content.state != .current {
      sentences.append(Self.capitalised(statusLine))
    } else {
      sentences.append("Current \(statusLine)")
    }
    if let reading = content.reading {
      if let stress = reading.stress {
        sentences.append("Stress level \(stress.category.accessibilityValue(level: stress.level))")
        sentences.append("Confidence \(Self.percent(stress.confidence))")
      } else {
        sentences.append(Self.noStressLevel)
      }
      if let heartRate { sentences.append("Heart rate \(heartRate)") }
      if let rmssd = reading.rmssd { sentences.append("RMSSD \(Self.whole(rmssd)) ms") }
    }
    if family.hours > 0, let trend = summary.trend { sentences.append("6-hour trend \(trend.direction.rawValue)") }
    if family == .large {
      if let range = summary.stressLevel { sentences.append("Last 24 hours: stress level \(Self.text(range))") }
      if let range = summary.heartRate { sentences.append("Last 24 hours: heart rate \(Self.text(range)) bpm") }
    }
    return sentences.joined(separator: ". ") + "."
  }

  /// Returns a range, such as "12 to 71, average 38".
  static func text(_ range: GlanceRange) -> String {
    "\(whole(range.minimum)) to \(whole(range.maximum)), average \(whole(range.average))"
  }

  // MARK: - Numbers

  /// Returns a number without decimals; a dash if it is not finite or greater than a million.
  static func whole(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e6 else { return "–" }
    return "\(Int(value.rounded()))"
  }

  /// Returns a share, 0 … 1, in percent.
  static func percent(_ share: Double) -> String { whole(share * 100) + " %" }

  /// Returns a text whose first letter is small.
  static func uncapitalised(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }

  /// Returns a text whose first letter is a capital.
  static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
