import Dashboard
import TachogramCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Simulated trends and baselines.
enum MockHistory {
  private static let day: Int64 = 86_400_000_000

  /// Returns points with some missing: one for each hour of a day, otherwise one for each day, in UTC.
  static func trends(_ question: TrendQuery, now: WallTime, isEmpty: Bool) -> API.Trends {
    let last = question.end?.number ?? now.microseconds / day
    let end = WallTime(microseconds: (last + 1) * day)
    let start = end.advanced(byMicroseconds: -question.period.days * day)
    let step = question.period == .day ? day / 24 : day
    let count = question.period == .day ? 24 : question.period.days
    let points = (0..<count).compactMap { number -> TrendPoint? in
      let at = start.advanced(byMicroseconds: number * step)
      guard number % 11 != 3, at <= now, !isEmpty else { return nil }
      let seconds = Double(at.microseconds) / 1e6
      let wave = sin(seconds / 86_400 * 1.3) + 0.4 * sin(seconds / 11_000)
      let (sdnn, rate) = (46 + 7 * wave, 66 - 4 * wave)
      let level = MockHeart.stressLevel(sdnn: sdnn, heartRate: rate)
      var point = TrendPoint(start: at, minutes: 55)
      (point.meanHeartRate, point.lowestHeartRate) = (rate, rate - 9)
      (point.sdnn, point.rmssd) = (sdnn, sdnn * 0.8)
      (point.stress, point.highestStress) = (level, min(100, level + 24))
      return point
    }
    let usual = [
      "sdnn": API.Band(low: 41, middle: 46.2, high: 52.4), "rmssd": API.Band(low: 33.1, middle: 37, high: 42.8),
      "meanHeartRate": API.Band(low: 62.4, middle: 65.9, high: 69.3),
    ]
    return API.Trends(period: question.period, start: start, end: end, points: points, usual: isEmpty ? [:] : usual)
  }

  /// Returns a complete baseline for Anna and an incomplete one for others.
  static func baseline(of person: String?) -> String {
    let isKnown = person == "Anna"
    let metrics = [
      ("sdnn", 46.2, 41.0, 52.4), ("rmssd", 37.0, 33.1, 42.8), ("lnRMSSD", 3.611, 3.5, 3.757),
      ("meanHeartRate", 65.9, 62.4, 69.3),
    ].map { name, middle, low, high in
      let values =
        isKnown
        ? "\"windows\": 412, \"outliers\": 9, \"median\": \(middle), \"lowerQuartile\": \(low), \"upperQuartile\": \(high)"
        : "\"windows\": 12, \"outliers\": 0, \"unavailable\": \"not enough data yet: 12 of 30 five-minute windows\""
      return "\"\(name)\": {\(values), \"hourly\": {}}"
    }.joined(separator: ", ")
    let rest = isKnown ? restOfAnna : restOfOthers
    let name = person.map { "\"person\": \"\($0)\", " } ?? ""
    return """
      {\(name)"date": "2026-11-26", "timeZone": "Etc/UTC", \(rest.stress), "baseline": {"days": 30, \
      "windows": \(isKnown ? 412 : 12), "metrics": {\(metrics)}, \(rest.baseline)}, "readiness": {\(rest.readiness)}}
      """
  }

  private static let restOfAnna = (
    stress: #""stress": {"sdnn": {"hrv": 46.2, "restingHeartRate": 57.8, "personal": true, "samples": 3120}}"#,
    baseline: #""restingHeartRate": 57.8, "unavailable": {}"#,
    readiness: #"""
    "weekMornings": 6, "mornings": 41, "level": "within", "weekLnRMSSD": 3.642, "weekVariationPercent": 4.8, "normalLnRMSSD": {"lower": 3.58, "upper": 3.71}, "unavailable": []
    """#
  )
  private static let restOfOthers = (
    stress: #""stress": {"sdnn": {"hrv": 50, "restingHeartRate": 60, "personal": false, "samples": 12}}"#,
    baseline: #""unavailable": {"restingHeartRate": "needs 10 windows with a heart rate, has 2 windows"}"#,
    readiness: #"""
    "weekMornings": 2, "mornings": 5, "unavailable": ["needs 3 mornings with a reading in the last 7 days, has 2", "needs 14 mornings with a reading in 60 days, has 5"]
    """#
  )
}
