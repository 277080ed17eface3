import Repository
import TachogramCore

/// Compares the gaps of a session with the sent notifications, one beat a second: the numbers of the notifications in the
/// ledger show how many are missing.
///
/// A late notification is not lost. If the player was late (on a busy machine), the time between two arrivals differs from the
/// missing time; a gap may then be anything between the two, and the difference must not exceed the delay of the player. If
/// nothing is missing on one link, no gap may be longer than the delay of the surrounding notifications.
struct GapCheck {
  /// A notification in the ledger.
  struct Arrival: Hashable, Sendable {
    let number: Int
    let time: MonotonicTime
    let link: Int
  }

  /// The time without a beat, in microseconds, above which beats are certainly missing.
  private static let outage: Int64 = 4_000_000
  /// The tolerance for the length of a gap, in microseconds: a beat at either side.
  private static let tolerance: Int64 = 2_000_000
  private static let beat: Int64 = 1_000_000

  /// The number of positions where a gap is expected, or present although none is expected.
  private(set) var expected = 0
  private(set) var right = 0
  /// The faults at the other positions, for people.
  private(set) var faults: [String] = []

  /// Reads the ledger and the gaps of a session. `play` is the sequence that its strap sent; `slack` as below.
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

  /// Creates a check. `sendings` are indexed by number; a notification that is not among them was never sent. `slack` is the
  /// delay of the station itself on a busy machine, in microseconds.
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
      // The first notification after the gap contains the beat that ended with it.
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

  /// Returns how much later than others the latest notification around a gap arrived, by the strap's clock.
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
