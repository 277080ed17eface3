import TachogramCore

/// The reason why sessions are not split or merged. Nothing was changed.
package enum SessionEditError: Error, Hashable, Sendable {
  /// The session is being recorded.
  case running(session: String)
  /// The session is a night.
  case night(session: String)
  /// There are no notifications on one side of the instant.
  case nothingToSplit(session: String, start: WallTime, end: WallTime)
  case sameSession(session: String)
  case otherStraps
  case otherPersons(String?, String?)
  /// One session was recorded, and the other one replayed from a capture or imported from a file.
  case otherOrigins
  /// The sessions were recorded at the same time.
  case overlap(end: WallTime, start: WallTime)
}

extension SessionEditError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .running(let session): "Session \(session) is being recorded. Wait until it has ended."
    case .night(let session):
      "Session \(session) is a night, which is one session. `tachogram sleep forget` makes it an ordinary session first."
    case .nothingToSplit(let session, let start, let end):
      "Session \(session) can be split between its first and its last notification, from \(Timestamp.text(start)) to "
        + "\(Timestamp.text(end)). Give a time between them."
    case .sameSession(let session): "Session \(session) cannot be merged with itself. Name two sessions."
    case .otherStraps: "The sessions are of different straps and cannot be merged."
    case .otherPersons(let first, let second):
      "The sessions belong to different persons (\(first ?? "nobody"), \(second ?? "nobody")). Assign both to one person first."
    case .otherOrigins:
      "The sessions are of different origins: one was recorded here, the other comes from a capture or a file. "
        + "They cannot be merged."
    case .overlap(let end, let start):
      "The sessions overlap: one ends at \(Timestamp.text(end)), and the other begins at \(Timestamp.text(start)). "
        + "`tachogram sessions --duplicates` finds copies of one recording."
    }
  }
}
