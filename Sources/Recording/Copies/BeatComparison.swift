/// Compares the intervals of two recordings beat by beat, at the precision of the coarser one.
struct BeatComparison: Sendable {
  let first: [RecordedBeat]
  let second: [RecordedBeat]
  /// The greatest difference between the intervals of one beat in ticks of 1/1024 s: the effect of truncation to `step`, which
  /// is twice the effect of rounding.
  let tolerance: Int
  /// The number of consecutive beats that must agree at the start, and again after a difference. It is greater for a greater
  /// tolerance.
  let startRun: Int
  let resumeRun: Int

  /// The intervals of the coarser recording are multiples of `step`, in milliseconds.
  init(_ first: [RecordedBeat], _ second: [RecordedBeat], step: Int) {
    (self.first, self.second) = (first, second)
    tolerance = Int((Double(step) * 1.024).rounded(.up))
    (startRun, resumeRun) = step < 5 ? (16, 6) : (32, 12)
  }

  func agree(_ place: Int, _ other: Int) -> Bool {
    abs(Int(first[place].ticks) - Int(second[other].ticks)) <= tolerance
  }

  func agree(_ place: Int, _ other: Int, count: Int) -> Bool {
    guard place + count <= first.count, other + count <= second.count else { return false }
    return (0..<count).allSatisfy { agree(place + $0, other + $0) }
  }

  /// Whether three quarters of a stretch agree, as in a copy in which single beats were corrected.
  func mostlyAgree(_ place: Int, _ other: Int, count: Int) -> Bool {
    guard place + count <= first.count, other + count <= second.count else { return false }
    var differing = 0
    for next in 0..<count where !agree(place + next, other + next) {
      differing += 1
      if differing * 4 > count { return false }
    }
    return true
  }
}
