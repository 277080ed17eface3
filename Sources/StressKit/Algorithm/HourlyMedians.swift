import FoundationEssentials
import Statistics

/// What is usual at each hour of the day.
package struct HourlyMedians: Sendable {
  /// Hours of the day are those of this time zone.
  package let timeZone: TimeZone

  package init(timeZone: TimeZone) {
    self.timeZone = timeZone
  }

  /// The median by hour, 0 … 23, of the hours that have enough values.
  package func medians(of values: [(timestamp: Date, value: Double)]) -> [Int: Double] {
    let hours = Dictionary(grouping: values) { hour(of: $0.timestamp) }
    return hours.filter { $0.value.count >= BaselineCalculator.minimumPerHour }.compactMapValues { hourly in
      Quantile.ofSorted(hourly.map(\.value).sorted(), at: 0.5)
    }
  }

  /// The hour that clocks show, 0 … 23.
  private func hour(of date: Date) -> Int {
    let local = date.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: date))
    let second = local - (local / 86_400).rounded(.down) * 86_400
    return min(23, max(0, Int(second / 3600)))
  }
}
