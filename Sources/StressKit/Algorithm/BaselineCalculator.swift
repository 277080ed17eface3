import FoundationEssentials
import Statistics

/// Computes the baseline of a person from the last 30 days of measurements.
///
/// The usual HRV is the mean of the measurements of one kind that pass the outlier filter: those within 1.5
/// interquartile ranges of the quartiles (Tukey's fences, bounds included). At least 30 must pass; else the baseline is
/// the default, marked as not personal. The resting heart rate is the 10th percentile of heart rate where there are at
/// least 10 samples, else 60 bpm. Quantiles interpolate linearly (Hyndman & Fan type 7).
public struct BaselineCalculator: Sendable {
  /// The age limit of measurements, in days, inclusive. A day is 86 400 s.
  public static let days = 30
  /// The least number of measurements for a personal baseline.
  public static let minimumMeasurements = 30
  /// The least number of samples for a resting heart rate.
  public static let minimumHeartRates = 10
  /// The least number of measurements for the median of an hour.
  public static let minimumPerHour = 5

  private let kind: HRVKind
  private let timeZone: TimeZone

  /// A calculator for HRV of one kind; hours of the day are those of `timeZone`.
  public init(kind: HRVKind, timeZone: TimeZone) {
    self.kind = kind
    self.timeZone = timeZone
  }

  /// Returns the baseline at `date`. Excludes measurements of the other kind, measurements older than 30 days or later than
  /// `date`, and values that are not finite or not above 0.
  public func baseline(
    from measurements: [HRVMeasurement], heartRates: [HeartRateSample], at date: Date,
  ) -> PersonalBaseline {
    let candidates = measurements.filter { measurement in
      measurement.kind == kind && isUsable(measurement.value, of: measurement.timestamp, at: date)
    }
    let accepted = withoutOutliers(candidates)
    guard accepted.count >= Self.minimumMeasurements else { return .default(kind: kind, lastUpdated: date) }
    return PersonalBaseline(
      restingHeartRate: restingHeartRate(of: heartRates, at: date), baselineHRV: mean(accepted.map(\.value)),
      kind: kind, sampleCount: accepted.count, isPersonal: true,
      hourlyHRV: HourlyMedians(timeZone: timeZone).medians(of: accepted.map { ($0.timestamp, $0.value) }),
      lastUpdated: date,
    )
  }

  // MARK: - Choosing the measurements

  private func isUsable(_ value: Double, of timestamp: Date, at date: Date) -> Bool {
    let age = date.timeIntervalSince(timestamp)
    return age >= 0 && age <= Double(Self.days) * 86_400 && value.isFinite && value > 0
  }

  private func withoutOutliers(_ measurements: [HRVMeasurement]) -> [HRVMeasurement] {
    guard let fences = TukeyFences.range(of: measurements.map(\.value)) else { return [] }
    return measurements.filter { fences.contains($0.value) }
  }

  // MARK: - Computing

  private func restingHeartRate(of samples: [HeartRateSample], at date: Date) -> Double {
    let values = samples.filter { isUsable($0.value, of: $0.timestamp, at: date) }.map(\.value)
    return Self.restingHeartRate(of: values)
      ?? PersonalBaseline.default(kind: kind, lastUpdated: date).restingHeartRate
  }

  /// The 10th percentile of heart rates; `nil` if there are fewer than 10.
  package static func restingHeartRate(of heartRates: [Double]) -> Double? {
    guard heartRates.count >= minimumHeartRates else { return nil }
    return Quantile.ofSorted(heartRates.sorted(), at: 0.1)
  }

  private func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(values.count)
  }
}
