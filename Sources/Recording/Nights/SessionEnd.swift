import Repository
import TachogramCore

/// The end of a stored session, and its clock there: the clock may have been set since the session began.
struct SessionEnd {
  private let session: SessionDescription
  private let entry: LedgerEntry?
  /// The time of the last beat on the axis of the session, or `nil` without beats.
  let lastBeat: MonotonicTime?

  init(of record: SessionRecord, in database: TachogramDatabase) throws {
    session = record.description
    let ends = try SessionRepository(database: database).ends(of: session.id)
    (entry, lastBeat) = (ends.entry, ends.beat?.time)
  }

  /// Returns the instant of the session's axis at a civil time.
  func axisTime(_ time: WallTime) -> MonotonicTime {
    guard let entry else { return session.monotonic(time) }
    return entry.monotonic.advanced(byMicroseconds: time.microseconds - entry.wall.microseconds)
  }

  /// The civil time of the last beat, or `nil` without beats.
  var lastBeatTime: WallTime? {
    guard let entry, let lastBeat else { return nil }
    return entry.wall.advanced(byMicroseconds: lastBeat.microseconds(since: entry.monotonic))
  }
}
