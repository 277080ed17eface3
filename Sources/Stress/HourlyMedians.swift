import FoundationEssentials
import TachogramCore

/// What is usual at each hour of the day.
internal struct HourlyMedians: Sendable {
  /// Hours of the day are those of this time zone.
  internal let timeZone: TimeZone

  /// The median by hour, 0 … 23, of the hours that have enough values.
  internal func medians(of values: [(timestamp: Date, value: Double)]) -> [Int: Double] {
    let hours = Dictionary(grouping: values) { LocalTime(of: $0.timestamp, in: timeZone).hour }
    return hours.filter { $0.value.count >= BaselineCalculator.minimumPerHour }.compactMapValues { hourly in
      Quantile.ofSorted(hourly.map(\.value).sorted(), at: 0.5)
    }
  }
}
