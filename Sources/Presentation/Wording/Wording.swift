import Pipeline
import Stress
import StressKit
import TachogramCore

/// Descriptions of reasons and metrics for people.
package enum Wording {
  package static func text(_ reason: UnavailableReason) -> String {
    switch reason {
    case .noIntervals: "there are no RR intervals"
    case .tooShort(let seconds, let minimum):
      "needs \(Int(minimum)) s of intervals, there are \(rounded(seconds)) s"
    case .tooFew(let count, let minimum): "needs \(minimum) intervals or pairs of neighbours, there are \(count)"
    case .tooManyArtifacts(let share, let limit):
      "\(rounded(share * 100)) % of the intervals are artifacts, and no more than \(rounded(limit * 100)) % may be"
    case .noSpread: "all intervals are equal, so that there is nothing to compare"
    case .noMatches: "no stretch of the series resembles another one"
    case .tooManyBeats(let count, let limit):
      "of a recording of more than \(limit) beats, here \(count), its 5-minute segments have it"
    case .noDistinctPeak: "the spectrum has no peak that stands out where breathing shows"
    case .beyondNyquist(let frequency, let limit):
      "the peak is at \(rounded(60 * frequency)) a minute, and intervals show no more than \(rounded(60 * limit)) a minute"
    case .tooFewSegments(let count, let minimum):
      "needs \(minimum) complete 5-minute segments that intervals cover by half, there are \(count)"
    case .irregularRhythm(let share):
      "the rhythm is irregular in \(rounded(share * 100)) % of it, as in atrial fibrillation"
    case .repeatedIntervals(let share):
      "the intervals repeat themselves in \(rounded(share * 100)) % of it, as those of a pacemaker do"
    case .noVariation: "all intervals are equal, so RMSSD is 0 and has no logarithm"
    }
  }

  package static func text(_ absence: StressOutcome.Absence) -> String {
    switch absence {
    case .noBeats: "there are no RR intervals"
    case .recording(let metric, let reason): "\(metric.rawValue) of the whole recording: \(text(reason))"
    case .metric(let metric, let reason): "\(metric.rawValue) of the 5-minute window: \(text(reason))"
    case .refused(let why): why
    }
  }

  /// Returns why a readiness is not available.
  package static func text(_ shortage: ReadinessShortage) -> String {
    switch shortage {
    case .week(let count, let minimum):
      "needs \(minimum) mornings with a reading in the last 7 days, has \(count)"
    case .normalRange(let count, let minimum):
      "needs \(minimum) mornings with a reading in 60 days, has \(count)"
    }
  }

  /// Returns why a metric has no baseline.
  package static func missing(_ baseline: MetricBaseline) -> String {
    "not enough data yet: \(baseline.count) of \(BaselineCalculator.minimumMeasurements) five-minute windows"
      + (baseline.outliers == 0 ? "" : " and \(baseline.outliers) outliers")
  }

  /// Returns why there is no resting heart rate for a number of windows.
  package static func missingRestingHeartRate(_ windows: Int) -> String {
    "needs \(BaselineCalculator.minimumHeartRates) windows with a heart rate, has \(windows) windows"
  }

  /// Returns the label of a metric, its unit with a leading blank, and the number of significant decimals.
  package static func name(_ metric: HRVMetric) -> (label: String, unit: String, digits: Int) {
    switch metric {
    case .meanNN: ("mean NN", " ms", 1)
    case .meanHeartRate: ("mean heart rate", " bpm", 1)
    case .sdnn: ("SDNN", " ms", 1)
    case .rmssd: ("RMSSD", " ms", 1)
    case .lnRMSSD: ("ln RMSSD", "", 3)
    case .sdsd: ("SDSD", " ms", 1)
    case .pnn50: ("pNN50", " %", 1)
    case .pnn20: ("pNN20", " %", 1)
    case .sd1: ("SD1", " ms", 1)
    case .sd2: ("SD2", " ms", 1)
    case .triangularIndex: ("triangular index", "", 1)
    case .baevskyStressIndex: ("Baevsky stress index", "", 1)
    case .vlf: ("VLF", " ms²", 1)
    case .lf: ("LF", " ms²", 1)
    case .hf: ("HF", " ms²", 1)
    case .totalPower: ("total power", " ms²", 1)
    case .lfhf: ("LF/HF", "", 2)
    case .respirationRate: ("breathing", " a minute", 1)
    case .dfaAlpha1: ("DFA α1", "", 3)
    case .sampleEntropy: ("sample entropy", "", 3)
    case .decelerationCapacity: ("deceleration capacity", " ms", 1)
    case .sdann: ("SDANN", " ms", 1)
    case .sdnnIndex: ("SDNN index", " ms", 1)
    }
  }

  /// Returns a number with `digits` decimals, 1 … 6.
  package static func rounded(_ value: Double, digits: Int = 1) -> String {
    var scale: Int64 = 1
    for _ in 0..<digits { scale *= 10 }
    let steps = (abs(value) * Double(scale)).rounded()
    guard steps < 1e15 else { return "\(value)" }
    let fraction = String(Int64(steps) % scale)
    return (value < 0 && steps > 0 ? "-" : "") + "\(Int64(steps) / scale)."
      + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
