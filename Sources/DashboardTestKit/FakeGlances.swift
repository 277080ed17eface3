import Dashboard
import Glances
import Synchronization
import TachogramCore

/// Glances of a person called Anna, of her strap H10, and of what `content` returns by default.
package final class FakeGlances: GlanceBackend {
  /// The number of contents that were requested.
  package let count = Mutex(0)
  private let make: @Sendable () -> GlanceContent

  package init(_ make: @escaping @Sendable () -> GlanceContent) {
    self.make = make
  }

  package func content(of choice: ReadingChoice) async throws -> GlanceContent {
    count.withLock { $0 += 1 }
    switch choice {
    case .automatic, .strap("H10"), .person("Anna"): return make()
    case .strap: throw DashboardError.notFound("there is no strap of this name.")
    case .person: throw DashboardError.notFound("there is no person of this name.")
    }
  }

  /// A day of points with a gap, up to a reading at `time`.
  package static func day(until time: WallTime, isCurrent: Bool) -> GlanceContent {
    let points = (0..<288).compactMap { place -> GlancePoint? in
      if (100..<130).contains(place) { return nil }
      let phase = Double(place % 96) / 96
      let wave = 4 * phase * (1 - phase)
      return GlancePoint(
        time: time.advanced(byMicroseconds: Int64(place - 287) * 300_000_000), heartRate: 58 + 24 * wave,
        stressLevel: 20 + 45 * wave)
    }
    return GlanceContent(
      name: "Anna",
      reading: GlanceReading(
        time: time, heartRate: 64, stress: GlanceStress(level: 31, confidence: 0.9), rmssd: 42.5, sdnn: 55.2,
        isCurrent: isCurrent),
      isConnected: isCurrent, points: points, time: time, clock: GlanceClock(utcOffset: 0))
  }
}
