import TachogramCore

/// Replaces the lengths of rejected intervals. The number of intervals and their end times stay unchanged.
enum IntervalRepair {
  /// Returns the run with each stretch of rejected intervals interpolated linearly, by position, between the normal ones at
  /// both ends. A stretch at the beginning or end of the run gets the length of the adjacent normal interval. If no interval is
  /// normal, all stay unchanged.
  static func mended(_ intervals: [Double], _ classes: [BeatClass]) -> [MendedInterval] {
    var lengths = intervals
    var next = 0
    while let first = classes[next...].firstIndex(where: { $0 != .normal }) {
      let end = classes[first...].firstIndex(of: .normal) ?? intervals.count
      let before = first > 0 ? intervals[first - 1] : nil
      let behind = end < intervals.count ? intervals[end] : nil
      for place in first..<end {
        let share = Double(place - first + 1) / Double(end - first + 1)
        guard let left = before ?? behind, let right = behind ?? before else { break }
        lengths[place] = left + (right - left) * share
      }
      next = end
    }
    return lengths.indices.map {
      MendedInterval(milliseconds: lengths[$0], beatClass: classes[$0], source: $0, shift: 0)
    }
  }
}
