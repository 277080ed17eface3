import TachogramCore

/// An interval of a mended run.
struct MendedInterval: Hashable, Sendable {
  /// Its length, in ms.
  let milliseconds: Double
  /// `.normal` for one that is as it came.
  let beatClass: BeatClass
  /// Place in the run, from 0, of the raw interval that it comes from: of the last one, where two were joined.
  let source: Int
  /// By how much it ends later than that one, in ms.
  let shift: Double
}
