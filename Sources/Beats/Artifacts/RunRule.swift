import TachogramCore

/// The rules that classify a run of intervals as a whole.
enum RunRule: Sendable {
  case lipponenTarvainen
  case malik
  case karlsson
  /// Finds nothing.
  case none

  /// Creates the rule of a method, or returns `nil` for the method that decides beat by beat.
  init?(_ method: ArtifactMethod) {
    switch method {
    case .segments: return nil
    case .lipponenTarvainen: self = .lipponenTarvainen
    case .malik: self = .malik
    case .karlsson: self = .karlsson
    case .none: self = .none
    }
  }

  /// Returns the class of each interval of a run, in ms.
  func classes(of intervals: [Double]) -> [BeatClass] {
    switch self {
    case .lipponenTarvainen: LipponenTarvainenRule(intervals).classes()
    case .malik: NeighbourRule.malik(intervals)
    case .karlsson: NeighbourRule.karlsson(intervals)
    case .none: Array(repeating: .normal, count: intervals.count)
    }
  }

  /// Returns the run with its artifacts corrected.
  func mended(_ intervals: [Double], _ classes: [BeatClass]) -> [MendedInterval] {
    switch self {
    case .lipponenTarvainen: BeatRepair.mended(intervals, classes)
    case .malik, .karlsson, .none: IntervalRepair.mended(intervals, classes)
    }
  }
}
