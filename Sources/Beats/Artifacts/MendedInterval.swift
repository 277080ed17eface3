import TachogramCore

/// An interval of a mended run.
struct MendedInterval: Hashable, Sendable {
  /// Its length, in ms.
  let milliseconds: Double
  /// The class of the corrected artifact, or `.normal` if the interval is unchanged.
  let beatClass: BeatClass
  /// The index in the run, from 0, of its raw interval; of the last one if two were joined.
  let source: Int
  /// The time from the end of that raw interval to the end of this one, in ms.
  let shift: Double
}
