import TachogramCore

/// The precision with which a stored session represents a recording. The most precise copy is kept.
package struct RecordingPrecision: Hashable, Comparable, Sendable {
  /// The source of the session.
  package enum Source: Int, Hashable, Comparable, Sendable {
    /// A sports file: intervals in milliseconds, start and gaps in seconds.
    case activity
    /// Text of this or another program: intervals, and gaps if the file contains them.
    case text
    /// This program's table: intervals in 1/1024 s, times to the microsecond.
    case table
    /// The notifications in a capture.
    case capture
    /// The notifications as received by this program, with the clocks at that time.
    case live

    package static func < (left: Source, right: Source) -> Bool { left.rawValue < right.rawValue }
  }

  package let source: Source
  /// Whether intervals are finer than milliseconds.
  package let isFine: Bool
  /// The number of milliseconds, 1 to 20, of which all intervals are multiples, which shows the resolution of a text.
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
  /// The least number of different intervals from which the step can be determined.
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

  /// The tolerance for the clock of a session of this kind, in microseconds. A time that a person entered for a text without
  /// one is considered accurate to the minute.
  package var startTolerance: Int64 { source == .text ? Self.greatestStartTolerance : 5_000_000 }

  /// The greatest tolerance for the clock of any session, in microseconds.
  package static let greatestStartTolerance: Int64 = 60_000_000
}
