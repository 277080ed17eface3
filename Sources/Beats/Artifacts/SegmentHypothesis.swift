import TachogramCore

/// What one or two intervals may be, and how well they would fit their neighbours if they were that.
struct SegmentHypothesis: Sendable {
  /// What is wrong with the segment, and what is put in its place.
  enum Kind: Hashable, Sendable {
    /// Two intervals, whose mean takes the place of both.
    case ectopic
    /// One interval, cut into so many equal ones.
    case missed(parts: Int)
    /// Two intervals, whose sum takes their place.
    case extra
    /// One interval, in whose place comes what the neighbours let expect.
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
  /// How far the repaired segment is from what is expected, in units of the local scale; the least is believed.
  let misfit: Double
  /// What the neighbours let expect of an interval, in ms.
  let expected: Double
}
