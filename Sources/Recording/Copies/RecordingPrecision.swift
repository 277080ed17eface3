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

  package init(_ session: SessionDescription, _ beats: [RecordedBeat]) {
    source =
      switch (session.madeFrom, session.origin) {
      case (nil, .live): .live
      case (nil, .replay): .capture
      case ("tachogram-csv", _): .table
      case ("fit", _): .activity
      default: .text
      }
    isFine = source >= .table || beats.contains(where: \.isFinerThanMilliseconds)
  }

  package static func < (left: RecordingPrecision, right: RecordingPrecision) -> Bool {
    left.source == right.source ? !left.isFine && right.isFine : left.source < right.source
  }

  /// How far the clock of a session of this kind may be off, in microseconds. A time that a person typed for a text without
  /// one is believed to the minute.
  package var startTolerance: Int64 { source == .text ? Self.greatestStartTolerance : 5_000_000 }

  /// The most that the clock of any may be off, in microseconds.
  package static let greatestStartTolerance: Int64 = 60_000_000
}
