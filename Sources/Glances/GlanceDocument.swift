import FoundationEssentials
import StressKit
import TachogramCore

/// The JSON of a glance. Times are ISO 8601 in UTC with milliseconds. Numbers have at most three decimals. What is not known is
/// absent; no value is `null`.
struct GlanceDocument: Encodable {
  /// The last reading.
  struct Reading: Encodable {
    /// The time of the last notification behind the values.
    var time: String
    /// In bpm.
    var heartRate: Double?
    /// 0 (relaxed) … 100 (high).
    var stressLevel: Double?
    /// `relaxed`, `mild`, `moderate` or `high`.
    var stressCategory: StressCategory?
    /// The confidence in the stress level, 0 … 1.
    var stressConfidence: Double?
    /// The mood of the character: `sleeping`, `calm`, `concerned`, `worried` or `overwhelmed`.
    var mood: StressBuddyMood?
    /// RMSSD of the last five minutes, in ms.
    var rmssd: Double?
    /// SDNN of the last five minutes, in ms.
    var sdnn: Double?
  }

  /// The trend of the stress level in the last 6 hours, as `GlanceTrend` defines it.
  struct Trend: Encodable {
    /// `rising`, `steady` or `falling`.
    var direction: GlanceTrend.Direction
    /// The change of the stress level, in levels.
    var change: Double
    /// The time that the change covers, in hours.
    var hours: Double
  }

  /// Average, minimum and maximum of the last 24 hours.
  struct Statistics: Encodable {
    struct Range: Encodable {
      var average: Double
      var minimum: Double
      var maximum: Double
    }

    /// In bpm; minimum and maximum are means of five minutes.
    var heartRate: Range?
    /// 0 … 100.
    var stressLevel: Range?
  }

  /// The means of five minutes.
  struct Point: Encodable {
    /// The start of the five minutes.
    var time: String
    /// In bpm.
    var heartRate: Double?
    /// 0 … 100.
    var stressLevel: Double?
  }

  /// `small`, `medium`, `large`, `circular`, `rectangular` or `inline`.
  var family: GlanceFamily
  /// `noReading`, `current` or `stale`.
  var state: GlanceState
  /// Whether the strap is connected.
  var isConnected: Bool
  /// The name of the strap or person.
  var name: String?
  /// The time of rendering.
  var time: String
  /// The offset of the local time from UTC at the time of rendering, in seconds east of UTC.
  var utcOffsetSeconds: Int
  /// The line of the family `inline` in the form `txt`, without its line end.
  var text: String
  /// Absent if there is no reading.
  var reading: Reading?
  /// Absent with too few points.
  var trend: Trend?
  /// Absent if there are no values in the last 24 hours.
  var statistics: Statistics?
  /// The points of the last 6 hours of the family `medium` and of the last 24 hours of the family `large`, the oldest first,
  /// without places that have no value. Absent in other families.
  var points: [Point]?

  init(_ content: GlanceContent, _ summary: GlanceSummary, family: GlanceFamily) {
    self.family = family
    state = content.state
    isConnected = content.isConnected
    name = content.name?.text
    time = Timestamp.text(content.time)
    utcOffsetSeconds = content.clock.utcOffset
    text = GlanceText(content: content, summary: summary).lines(.inline).joined()
    reading = content.reading.map { Reading($0) }
    trend = summary.trend.map {
      Trend(direction: $0.direction, change: Self.rounded($0.change), hours: Self.rounded($0.hours))
    }
    if summary.heartRate != nil || summary.stressLevel != nil {
      statistics = Statistics(
        heartRate: summary.heartRate.map { Statistics.Range($0) },
        stressLevel: summary.stressLevel.map { Statistics.Range($0) })
    }
    guard family.hours > 0 else { return }
    points = (GlanceSummary.slots - family.hours * 12..<GlanceSummary.slots).compactMap { place in
      let (level, rate) = (summary.stressLevels[place], summary.heartRates[place])
      guard level != nil || rate != nil else { return nil }
      return Point(
        time: Timestamp.text(summary.time(of: place)), heartRate: rate.map(Self.rounded),
        stressLevel: level.map(Self.rounded))
    }
  }

  /// Returns the document with sorted keys and a line end.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }

  /// Returns a finite value rounded to three decimals.
  static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}

extension GlanceDocument.Reading {
  init(_ reading: GlanceReading) {
    self.init(
      time: Timestamp.text(reading.time), heartRate: reading.heartRate.map(GlanceDocument.rounded),
      stressLevel: reading.stress.map { GlanceDocument.rounded($0.level) }, stressCategory: reading.stress?.category,
      stressConfidence: reading.stress.map { GlanceDocument.rounded($0.confidence) },
      mood: reading.stress.map { StressBuddyMood(level: $0.level) }, rmssd: reading.rmssd.map(GlanceDocument.rounded),
      sdnn: reading.sdnn.map(GlanceDocument.rounded))
  }
}

extension GlanceDocument.Statistics.Range {
  init(_ range: GlanceRange) {
    self.init(
      average: GlanceDocument.rounded(range.average), minimum: GlanceDocument.rounded(range.minimum),
      maximum: GlanceDocument.rounded(range.maximum))
  }
}
