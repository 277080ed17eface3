import FoundationEssentials
import Statistics
import StressKit
import TachogramCore

/// Computes the usual values of a person for each metric, from windows of the last 30 days.
///
/// Outlier filter, quantiles, minimums and days are those of `BaselineCalculator`; the windows are those that
/// `WindowSampling` chose.
package struct MetricBaselineCalculator: Sendable {
  /// The metrics that have a baseline.
  package static let metrics: [HRVMetric] = [.sdnn, .rmssd, .lnRMSSD, .meanHeartRate]

  private let timeZone: TimeZone

  /// Creates a calculator for the hours of the day of `timeZone`.
  package init(timeZone: TimeZone) {
    self.timeZone = timeZone
  }

  /// Returns the baseline of one metric at `date`. Excludes windows older than 30 days or later than `date`, and windows
  /// without a finite value.
  package func baseline(of metric: HRVMetric, from samples: [WindowSample], at date: Date) -> MetricBaseline {
    let values = values(of: metric, in: samples, at: date)
    let fences = TukeyFences.range(of: values.map(\.value))
    let accepted = values.filter { fences?.contains($0.value) == true }
    return MetricBaseline(
      metric: metric, count: accepted.count, outliers: values.count - accepted.count,
      quartiles: quartiles(of: accepted.map(\.value)), hourly: HourlyMedians(timeZone: timeZone).medians(of: accepted))
  }

  /// Returns the resting heart rate at `date`, in bpm: the 10th percentile of the mean heart rates of windows, without an
  /// outlier filter; `nil` if there are fewer than 10.
  package func restingHeartRate(from samples: [WindowSample], at date: Date) -> Double? {
    BaselineCalculator.restingHeartRate(of: values(of: .meanHeartRate, in: samples, at: date).map(\.value))
  }

  private func values(
    of metric: HRVMetric, in samples: [WindowSample], at date: Date,
  ) -> [(timestamp: Date, value: Double)] {
    samples.compactMap { sample in
      let age = date.timeIntervalSince(sample.timestamp)
      guard age >= 0, age <= Double(BaselineCalculator.days) * 86_400, let value = sample.metrics[metric],
        value.isFinite
      else { return nil }
      return (sample.timestamp, value)
    }
  }

  private func quartiles(of values: [Double]) -> MetricBaseline.Quartiles? {
    guard values.count >= BaselineCalculator.minimumMeasurements else { return nil }
    let sorted = values.sorted()
    guard
      let lower = Quantile.ofSorted(sorted, at: 0.25), let median = Quantile.ofSorted(sorted, at: 0.5),
      let upper = Quantile.ofSorted(sorted, at: 0.75)
    else { return nil }
    return MetricBaseline.Quartiles(lower: lower, median: median, upper: upper)
  }
}
