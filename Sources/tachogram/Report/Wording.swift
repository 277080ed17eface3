import Pipeline
import TachogramCore

/// The reasons of the targets in words for people.
enum Wording {
  static func text(_ reason: UnavailableReason) -> String {
    switch reason {
    case .noIntervals: "there are no RR intervals"
    case .tooShort(let seconds, let minimum):
      "needs \(Int(minimum)) s of intervals, there are \(rounded(seconds)) s"
    case .tooFew(let count, let minimum): "needs \(minimum) intervals or pairs of neighbours, there are \(count)"
    case .tooManyArtifacts(let share, let limit):
      "\(rounded(share * 100)) % of the intervals are artifacts, and no more than \(rounded(limit * 100)) % may be"
    case .noVariation: "all intervals are equal, so RMSSD is 0 and has no logarithm"
    }
  }

  static func text(_ absence: StressOutcome.Absence) -> String {
    switch absence {
    case .noBeats: "there are no RR intervals"
    case .metric(let metric, let reason): "\(metric.rawValue) of the 5-minute window: \(text(reason))"
    case .refused(let why): why
    }
  }

  /// A number with one digit behind the point.
  static func rounded(_ value: Double) -> String {
    let tenths = (abs(value) * 10).rounded()
    guard tenths < 1e15 else { return "\(value)" }
    return (value < 0 && tenths > 0 ? "-" : "") + "\(Int64(tenths) / 10).\(Int64(tenths) % 10)"
  }
}
