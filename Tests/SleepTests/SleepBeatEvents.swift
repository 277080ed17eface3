import TachogramCore

/// Beats of a session, as the timeline of beats emits them.
enum SleepBeatEvents {
  static let start = MonotonicTime(microseconds: 77_000_123)

  /// Returns the instant of a tick, cut to the microsecond.
  static func instant(_ tick: Int64) -> MonotonicTime { start.advanced(byMicroseconds: tick * 15_625 / 16) }

  /// Returns beats at ticks, the first of which begins its interval at the start of a run; another run may follow.
  static func events(
    _ ticks: [Int64], gap: Bool = false, then later: [Int64] = [], marks: BeatMarks = []
  ) -> [BeatEvent] {
    var events = beats(ticks, marks: marks)
    if gap, let last = ticks.last, let next = later.first {
      events.append(
        .gap(
          BeatGap(sequence: 0, start: instant(last), end: instant(next), reason: .linkDown, ledgerSequence: 0)))
    }
    return events + beats(later, marks: marks)
  }

  private static func beats(_ ticks: [Int64], marks: BeatMarks) -> [BeatEvent] {
    zip(ticks, ticks.dropFirst()).map { before, tick in
      .beat(
        Beat(
          sequence: tick, time: instant(tick), rr: RRInterval(ticks: UInt16(tick - before)), ledgerSequence: 0,
          marks: marks))
    }
  }
}
