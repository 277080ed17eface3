import TachogramCore

/// How exactly a stored session holds a recording; of copies, the greatest is kept.
package struct RecordingPrecision: Hashable, Comparable, Sendable {
  /// What the session was made of.
  package enum Source: Int, Hashable, Comparable, Sendable {
    /// A sports file: intervals in milliseconds, start and gaps to the second.
    case activity
    /// Text of another program, or of this one: intervals, gaps where the file has them.
    case text
    /// This program's table: intervals in 1/1024 s, times to the microsecond.
    case table
    /// The notifications, from a capture.
    case capture
    /// The notifications, as this program received them, with the clocks of then.
    case live

    package static func < (left: Source, right: Source) -> Bool { left.rawValue < right.rawValue }
  }

  package let source: Source
  /// Whether intervals are finer than milliseconds.
  package let isFine: Bool
  /// What all intervals are multiples of, in milliseconds, 1 to 20: as coarse as a text shows them.
  package let step: Int

  package init(_ session: SessionDescription, _ beats: [RecordedBeat]) {
    source =
      switch (session.madeFrom, session.origin) {
      case (nil, .live): .live
      case (nil, .replay): .capture
      case ("tachogram-csv", _): .table
      case ("fit", _): .activity
      default: .text
      }
    step = source >= .table ? 1 : Self.step(of: beats)
    isFine = source >= .table || beats.contains(where: \.isFinerThanMilliseconds)
  }

  package static func < (left: RecordingPrecision, right: RecordingPrecision) -> Bool {
    if left.step != right.step { return left.step > right.step }
    return left.source == right.source ? !left.isFine && right.isFine : left.source < right.source
  }

  private static let greatestStep = 20
  /// Fewer different intervals do not show what they are multiples of.
  private static let fewestValues = 8

  private static func step(of beats: [RecordedBeat]) -> Int {
    var values: Set<Int> = []
    var step = 0
    for beat in beats {
      if beat.isFinerThanMilliseconds { return 1 }
      let milliseconds = Int((Double(beat.ticks) / 1.024).rounded())
      var (divisor, rest) = (milliseconds, step)
      while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
      step = divisor
      if step == 1 { return 1 }
      if values.count < fewestValues { values.insert(milliseconds) }
    }
    return values.count < fewestValues ? 1 : min(step, greatestStep)
  }

  /// How far the clock of a session of this kind may be off, in microseconds. A time that a person typed for a text without
  /// one is believed to the minute.
  package var startTolerance: Int64 { source == .text ? Self.greatestStartTolerance : 5_000_000 }

  /// The most that the clock of any may be off, in microseconds.
  package static let greatestStartTolerance: Int64 = 60_000_000
}
