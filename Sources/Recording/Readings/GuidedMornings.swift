import FoundationEssentials
import Stress
import StressKit
import TachogramCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The mornings of a person: those that were measured with a reading, and those of windows on other days.
enum GuidedMornings {
  /// Returns the mornings of windows, with those of readings in their place: the last reading of each day that has one.
  static func merged(
    _ windows: [MorningReading], with readings: [HRVReading], until end: WallTime, timeZone: TimeZone
  ) -> [MorningReading] {
    func day(_ date: Date) -> CivilDay { LocalTime(of: date, in: timeZone).day }
    var guided: [CivilDay: MorningReading] = [:]
    for reading in readings.sorted(by: { $0.start < $1.start }) where reading.start <= end {
      guard let rmssd = reading.rmssd, rmssd > 0 else { continue }
      let date = reading.start.date
      guided[day(date)] = MorningReading(timestamp: date, lnRMSSD: log(rmssd))
    }
    return windows.filter { guided[day($0.timestamp)] == nil } + guided.values
  }
}
