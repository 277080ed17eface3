import Pipeline
import TachogramCore

/// The result of the analysis of a series of RR intervals. docs/metrics.md defines the metrics and when they are not available.
public struct HRVResult: Sendable {
  /// The metrics, with the names used in the program's reports.
  public enum Metric: String, Hashable, Sendable, CaseIterable {
    /// Of the time domain; mean NN, SDNN, RMSSD, SDSD, SD1 and SD2 in ms, the mean heart rate in bpm, pNN in %.
    case meanNN, meanHeartRate, sdnn, rmssd, lnRMSSD, sdsd, pnn50, pnn20, sd1, sd2
    /// Of the distribution.
    case triangularIndex, baevskyStressIndex
    /// Of the spectrum, in ms²; the respiration rate a minute.
    case vlf, lf, hf, totalPower, lfhf, respirationRate
    /// Of the order of the intervals; the deceleration capacity in ms.
    case dfaAlpha1, sampleEntropy, decelerationCapacity
    /// Of the 5-minute segments, in ms.
    case sdann, sdnnIndex
  }

  /// The number of appended intervals, without values that are not intervals.
  public let intervalCount: Int
  /// The share of unreliable values, 0 … 1: corrected, out of range, not intervals, or part of an irregular rhythm.
  public let artifactShare: Double
  /// The share of the duration, 0 … 1, that intervals in the range of a human heart cover.
  public let coverage: Double
  /// The duration of the series including gaps, in seconds.
  public let seconds: Double
  private let raw: HRVMetrics
  private let corrected: HRVMetrics

  init(_ report: SeriesReport) {
    intervalCount = report.beats.total
    artifactShare = report.correction.quality.artifactShare
    coverage = report.beats.coverage
    seconds = report.beats.spanSeconds
    raw = report.raw
    corrected = report.correction.metrics
  }

  /// A metric after artifact correction, or `nil` if it is not available; `absence(of:)` returns the reason.
  public subscript(metric: Metric) -> Double? { corrected[metric.name] }

  /// Returns a metric of the intervals without any correction.
  public func uncorrected(_ metric: Metric) -> Double? { raw[metric.name] }

  /// Returns the reason why a metric has no value; `nil` if it has a value.
  public func absence(of metric: Metric) -> Absence? { corrected.reason(for: metric.name).map(Absence.init) }
}

extension HRVResult.Metric {
  /// The name within the package. Both enumerations have the same raw values.
  var name: HRVMetric { HRVMetric(rawValue: rawValue) ?? .meanNN }
}
