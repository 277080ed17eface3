/// The order of recordings that contain each other; the greatest is kept.
struct RecordingRank: Comparable {
  let precision: RecordingPrecision
  let beats: Int
  /// The number of times between beats that are not covered by intervals.
  let gaps: Int
  /// The identifier of the session. The lesser identifier has the greater rank.
  let id: String

  static func < (left: RecordingRank, right: RecordingRank) -> Bool {
    if left.precision != right.precision { return left.precision < right.precision }
    if left.beats != right.beats { return left.beats < right.beats }
    if left.gaps != right.gaps { return left.gaps < right.gaps }
    return left.id > right.id
  }
}
