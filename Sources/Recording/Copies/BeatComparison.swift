/// Compares the intervals of two recordings beat by beat, to what the coarser of the two can hold.
struct BeatComparison: Sendable {
  let first: [RecordedBeat]
  let second: [RecordedBeat]
  /// How far the intervals of one beat may be apart, in ticks of 1/1024 s: as much as cutting to `step` may do, which is
  /// twice of what rounding does.
  let tolerance: Int
  /// Beats in a row that must agree at the start, and again behind a difference; more where less is needed to agree.
  let startRun: Int
  let resumeRun: Int

  /// `step` is what the intervals of the coarser one are multiples of, in milliseconds.
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

  /// Whether three quarters of a stretch agree, as those of a copy do in which single beats were corrected.
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
