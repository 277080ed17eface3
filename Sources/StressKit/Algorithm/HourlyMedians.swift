import FoundationEssentials
import Statistics

/// The medians of values by hour of the day.
package struct HourlyMedians: Sendable {
  /// The time zone of the hours of the day.
  package let timeZone: TimeZone

  package init(timeZone: TimeZone) {
    self.timeZone = timeZone
  }

  /// The median by hour, 0 … 23, of the hours that have enough values.
  package func medians(of values: [(timestamp: Date, value: Double)]) -> [Int: Double] {
    let hours = Dictionary(grouping: values) { WallClock(of: $0.timestamp, in: timeZone).hour }
    return hours.filter { $0.value.count >= BaselineCalculator.minimumPerHour }.compactMapValues { hourly in
      Quantile.ofSorted(hourly.map(\.value).sorted(), at: 0.5)
    }
  }
}
