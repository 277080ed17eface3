/// The order of recordings that hold each other; the greatest is kept.
struct RecordingRank: Comparable {
  let precision: RecordingPrecision
  let beats: Int
  /// Times between beats that no interval covers.
  let gaps: Int
  /// The lesser one is the greater rank.
  let id: String

  static func < (left: RecordingRank, right: RecordingRank) -> Bool {
    if left.precision != right.precision { return left.precision < right.precision }
    if left.beats != right.beats { return left.beats < right.beats }
    if left.gaps != right.gaps { return left.gaps < right.gaps }
    return left.id > right.id
  }
}
