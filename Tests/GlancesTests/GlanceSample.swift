import StressKit
import TachogramCore

@testable import Glances

/// Contents of glances, at 2026-03-28T16:41:30Z, in a time zone one hour east of UTC.
enum GlanceSample: String, CaseIterable {
  case current, relaxed, moderate, high, stale, disconnected, heartRateOnly, noReading, notConnected

  static let now = WallTime(microseconds: 1_774_716_090_000_000)
  static let clock = GlanceClock(utcOffset: 3600)

  /// The time a number of seconds before `now`.
  static func ago(_ seconds: Int64) -> WallTime { now.advanced(byMicroseconds: -seconds * 1_000_000) }

  /// 24 hours: a calm night, an active day, and two gaps.
  static func points(
    level shift: Double = 0, rise: Double = 0, hasStress: Bool = true, secondsAgo: Int64 = 0
  ) -> [GlancePoint] {
    var state: UInt64 = 7
    var (level, rate) = (30.0, 68.0)
    return (0..<288).compactMap { place -> GlancePoint? in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let noise = Double(state >> 40) / Double(1 << 24) - 0.5
      // Place 0 is at 17:45, so that the night is from 23:00 to 07:00.
      let isNight = (63..<160).contains(place)
      level += ((isNight ? 14 : 41 + Double(place % 90) / 6) - level) * 0.08 + noise * 9
      rate += ((isNight ? 54 : 74 + Double(place % 70) / 7) - rate) * 0.1 + noise * 7
      if (30..<42).contains(place) || (200..<214).contains(place) || place == 206 { return nil }
      let time = ago(Int64(287 - place) * 300)
      guard time <= ago(secondsAgo) else { return nil }
      let ramp = place < 216 ? 0 : rise * Double(place - 287) / 71
      return GlancePoint(
        time: time, heartRate: rate, stressLevel: hasStress ? min(100, max(0, level + shift + ramp)) : nil)
    }
  }

  static func reading(
    _ level: Double?, heartRate: Double? = 72, secondsAgo: Int64 = 1, isCurrent: Bool = true
  ) -> GlanceReading {
    GlanceReading(
      time: ago(secondsAgo), heartRate: heartRate, stress: level.flatMap { GlanceStress(level: $0, confidence: 0.84) },
      rmssd: 41.6, sdnn: 55.2, isCurrent: isCurrent)
  }

  var content: GlanceContent {
    let (name, now, clock) = ("Anna", Self.now, Self.clock)
    let away: Int64 = 2 * 3600 + 90
    func content(
      _ reading: GlanceReading?, isConnected: Bool = true, points: [GlancePoint] = Self.points()
    ) -> GlanceContent {
      GlanceContent(
        name: name, reading: reading, isConnected: isConnected, points: points, time: now, clock: clock)
    }
    return switch self {
    case .current: content(Self.reading(38.2), points: Self.points(level: -13, rise: 18))
    case .relaxed: content(Self.reading(7.4, heartRate: 56), points: Self.points(level: -36, rise: -26))
    case .moderate: content(Self.reading(64, heartRate: 88), points: Self.points(level: 12))
    case .high: content(Self.reading(91.7, heartRate: 128), points: Self.points(level: 39))
    case .stale: content(Self.reading(49.2, secondsAgo: away, isCurrent: false), points: Self.points(secondsAgo: away))
    case .disconnected:
      content(
        Self.reading(64, secondsAgo: away, isCurrent: false), isConnected: false, points: Self.points(secondsAgo: away))
    case .heartRateOnly: content(Self.reading(nil), points: Self.points(hasStress: false))
    case .noReading: content(nil, points: [])
    case .notConnected: content(nil, isConnected: false, points: [])
    }
  }

  var glance: Glance { Glance(content) }
}
