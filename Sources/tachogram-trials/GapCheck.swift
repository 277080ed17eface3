import Repository
import TachogramCore

/// Holds the gaps of a session against what its strap sent, one beat a second, and when: the numbers of the notifications
/// in the ledger give how many are missing.
///
/// A notification that is late is not lost. When the player was late (a busy machine), the time between two arrivals is
/// longer or shorter than what is missing; a gap may then be anything between the two, and the difference has to be as
/// long as the player was late. Where nothing is missing, and the link is the same, there has to be no gap that is longer
/// than the notifications around it were late.
struct GapCheck {
  /// A notification in the ledger.
  struct Arrival: Hashable, Sendable {
    let number: Int
    let time: MonotonicTime
    let link: Int
  }

  /// Time without a beat, in microseconds, above which beats are missing for certain.
  private static let outage: Int64 = 4_000_000
  /// How far, in microseconds, a gap's length may be off: a beat at either side.
  private static let tolerance: Int64 = 2_000_000
  private static let beat: Int64 = 1_000_000

  /// Places where a gap has to be, or is although none has to be.
  private(set) var expected = 0
  private(set) var right = 0
  /// What is wrong with the others, for people.
  private(set) var faults: [String] = []

  /// Reads the ledger and the gaps of a session; `play` is what its strap sent, `slack` as below.
  init(_ database: TachogramDatabase, session: String, play: TrialPlay, slack: Int64) throws {
    let repository = SessionRepository(database: database)
    var arrivals: [Arrival] = []
    try repository.forEachEntry(of: session) { entries in
      for entry in entries {
        guard case .notification(let value) = entry.content,
          let number = TrialPlay.number(of: value, after: arrivals.last?.number ?? 0)
        else { continue }
        arrivals.append(Arrival(number: number, time: entry.monotonic, link: entry.link))
      }
    }
    self.init(arrivals, gaps: try repository.gaps(of: session), sendings: play.sendings, slack: slack)
  }

  /// `sendings` by number; a notification that is not among them was never sent. `slack`: how long, in microseconds, the
  /// station itself may take to see what was handed over, on a busy machine.
  init(_ arrivals: [Arrival], gaps: [BeatGap], sendings: [TrialPlay.Sending], slack: Int64 = 0) {
    var places: [(start: MonotonicTime, end: MonotonicTime)] = []
    for (before, after) in zip(arrivals, arrivals.dropFirst()) {
      let missing = Int64(after.number - before.number - 1) * Self.beat
      if missing > 0 || before.link != after.link { places.append((before.time, after.time)) }
      guard sendings.indices.contains(after.number), missing >= 0 else {
        judge(false, "a notification that was not sent: \(after)")
        continue
      }
      let pause = after.time.microseconds(since: before.time)
      guard pause > Self.outage || missing + Self.beat > Self.outage else { continue }
      places.append((before.time, after.time))
      let late = sendings[after.number].lateness - sendings[before.number].lateness
      let found = gaps.filter { $0.end > before.time && $0.start < after.time }.reduce(0) { $0 + $1.microseconds }
      // The first notification behind the gap carries the beat that ended with it.
      let heard = pause - Self.beat
      let isExplained = abs(heard - missing - late) <= Self.tolerance + slack
      let isOneLink = before.link == after.link
      let allowed =
        missing == 0 && isOneLink
        ? 0...Self.tolerance : min(missing, heard) - Self.tolerance...max(missing, heard) + Self.tolerance
      judge(
        isExplained && allowed.contains(found),
        "\(missing) missing, \(heard) between arrivals, \(late) late, \(found) in gaps, link \(after.link)")
    }
    for gap in gaps where gap.microseconds > Self.tolerance {
      if places.contains(where: { gap.end > $0.start && gap.start < $0.end }) { continue }
      let late = Self.unsteadiness(of: arrivals, around: gap, sendings)
      if gap.microseconds > Self.tolerance + late {
        judge(false, "a gap of \(gap.microseconds) where nothing is missing, \(late) late")
      }
    }
  }

  /// How much later than others the latest notification around a gap came, by the strap's own clock.
  private static func unsteadiness(
    of arrivals: [Arrival], around gap: BeatGap, _ sendings: [TrialPlay.Sending],
  ) -> Int64 {
    let range = gap.start.advanced(byMicroseconds: -outage)...gap.end.advanced(byMicroseconds: outage)
    let delays = arrivals.filter { range.contains($0.time) && sendings.indices.contains($0.number) }
      .map { $0.time.microseconds(since: sendings[$0.number].due) }
    guard let least = delays.min(), let most = delays.max() else { return 0 }
    return most - least
  }

  private mutating func judge(_ isRight: Bool, _ fault: String) {
    expected += 1
    if isRight { right += 1 } else { faults.append(fault) }
  }
}
