import TachogramCore

/// The rules that judge a run of intervals as a whole.
enum RunRule: Sendable {
  case lipponenTarvainen
  case malik
  case karlsson
  /// Finds nothing.
  case none

  /// The rule of a method; `nil` for the one that decides beat by beat.
  init?(_ method: ArtifactMethod) {
    switch method {
    case .segments: return nil
    case .lipponenTarvainen: self = .lipponenTarvainen
    case .malik: self = .malik
    case .karlsson: self = .karlsson
    case .none: self = .none
    }
  }

  /// What each of the intervals of a run, in ms, is.
  func classes(of intervals: [Double]) -> [BeatClass] {
    switch self {
    case .lipponenTarvainen: LipponenTarvainenRule(intervals).classes()
    case .malik: NeighbourRule.malik(intervals)
    case .karlsson: NeighbourRule.karlsson(intervals)
    case .none: Array(repeating: .normal, count: intervals.count)
    }
  }

  /// The run with what was found in it mended.
  func mended(_ intervals: [Double], _ classes: [BeatClass]) -> [MendedInterval] {
    switch self {
    case .lipponenTarvainen: BeatRepair.mended(intervals, classes)
    case .malik, .karlsson, .none: IntervalRepair.mended(intervals, classes)
    }
  }
}
