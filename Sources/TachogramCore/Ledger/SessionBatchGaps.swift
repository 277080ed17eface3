extension SessionBatch {
  /// Returns the beats, each with whether beats are missing before it. `hasGap` is whether they are missing between the beats of
  /// earlier batches and these, and afterwards whether they are missing after these.
  package func beatsAfterGaps(_ hasGap: inout Bool) -> [(beat: Beat, followsGap: Bool)] {
    var gaps = gaps[...]
    var placed: [(beat: Beat, followsGap: Bool)] = []
    for beat in beats {
      while let gap = gaps.first, gap.start < beat.time {
        hasGap = true
        gaps = gaps.dropFirst()
      }
      placed.append((beat, hasGap))
      hasGap = false
    }
    if !gaps.isEmpty { hasGap = true }
    return placed
  }
}
