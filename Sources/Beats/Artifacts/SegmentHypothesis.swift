import TachogramCore

/// A possible artifact in one or two intervals, and how well its correction fits the neighbours.
struct SegmentHypothesis: Sendable {
  /// The artifact in the segment, and its correction.
  enum Kind: Hashable, Sendable {
    /// Two intervals, both replaced by their mean.
    case ectopic
    /// One interval, divided into `parts` equal ones.
    case missed(parts: Int)
    /// Two intervals, replaced by their sum.
    case extra
    /// One interval, replaced by the value expected from the neighbours.
    case longShort

    /// Intervals in the segment.
    var width: Int {
      switch self {
      case .ectopic, .extra: 2
      case .missed, .longShort: 1
      }
    }

    var beatClass: BeatClass {
      switch self {
      case .ectopic: .ectopic
      case .missed: .missed
      case .extra: .extra
      case .longShort: .longShort
      }
    }
  }

  let kind: Kind
  /// The deviation of the corrected segment from the expected value, in units of the local scale. The hypothesis with the least
  /// misfit is chosen.
  let misfit: Double
  /// The length of an interval expected from the neighbours, in ms.
  let expected: Double
}
