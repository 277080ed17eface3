import TachogramCore

/// An interval of the corrected series, and where it comes from.
package struct CorrectedInterval: Hashable, Sendable {
  package let milliseconds: Double
  /// When it ended.
  package let time: MonotonicTime
  /// What the raw interval behind it was; all but `.normal` was mended.
  package let beatClass: BeatClass
  /// Position of the raw interval, from 0, that it comes from: of the last one, where two were joined.
  package let source: Int
}
