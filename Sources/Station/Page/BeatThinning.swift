import Dashboard
import TachogramCore

/// Selects the beats of a plot with fewer points than beats: of each stretch the shortest, the longest and the marked ones, in
/// order, so that no outlier is lost.
struct BeatThinning {
  private let stretch: Int
  private let isArtifact: (Int64) -> Bool
  private var shortest: Beat?
  private var longest: Beat?
  private var others: [Beat] = []
  private var count = 0

  /// Creates a selection of about `points` of `total` beats. `isArtifact` returns whether a beat is always kept.
  init(total: Int64, points: Int, isArtifact: @escaping (Int64) -> Bool) {
    stretch = total <= Int64(points) ? 1 : max(3, Int((2 * total + Int64(points) - 1) / Int64(points)))
    self.isArtifact = isArtifact
  }

  /// Appends a beat, and passes the selected beats of a full stretch to `keep`.
  mutating func append(_ beat: Beat, _ keep: (Beat) -> Void) {
    count += 1
    if !beat.marks.isEmpty || isArtifact(beat.sequence) {
      others.append(beat)
    } else {
      if beat.rr.ticks < shortest?.rr.ticks ?? .max { shortest = beat }
      if longest == nil || beat.rr.ticks > longest?.rr.ticks ?? 0 { longest = beat }
    }
    if count >= stretch { finish(keep) }
  }

  /// Passes the remaining selected beats to `keep`.
  mutating func finish(_ keep: (Beat) -> Void) {
    var kept = others
    if let shortest { kept.append(shortest) }
    if let longest, longest.sequence != shortest?.sequence { kept.append(longest) }
    for beat in kept.sorted(by: { $0.sequence < $1.sequence }) { keep(beat) }
    (shortest, longest, count) = (nil, nil, 0)
    others.removeAll(keepingCapacity: true)
  }
}
