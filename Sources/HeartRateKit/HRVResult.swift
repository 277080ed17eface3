import Pipeline
import TachogramCore

/// What a series of RR intervals amounts to. docs/metrics.md defines the metrics and what is refused.
public struct HRVResult: Sendable {
  /// The metrics, by the names that the program's reports use.
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

  /// The intervals that were added, without values that are none.
  public let intervalCount: Int
  /// The share that cannot be trusted, 0 … 1: mended, out of range, no intervals, or of an irregular rhythm.
  public let artifactShare: Double
  /// The share of its time that intervals in the range of a human heart cover, 0 … 1.
  public let coverage: Double
  /// How long the series is with its gaps, in seconds.
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

  /// A metric with the artifacts mended; `nil` where `absence(of:)` says why there is none.
  public subscript(metric: Metric) -> Double? { corrected[metric.name] }

  /// A metric of the intervals as they came, whatever is wrong with them.
  public func uncorrected(_ metric: Metric) -> Double? { raw[metric.name] }

  /// Why a metric has no value; `nil` where it has one.
  public func absence(of metric: Metric) -> Absence? { corrected.reason(for: metric.name).map(Absence.init) }
}

extension HRVResult.Metric {
  /// The name within the package. The two lists are the same.
  var name: HRVMetric { HRVMetric(rawValue: rawValue) ?? .meanNN }
}
