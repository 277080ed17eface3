import CommandProcess
import Presentation
import Repository
import TachogramCore

/// The warning about sessions that a command stored although they were deleted in the space of this station.
enum SpaceDeletions {
  /// Writes the warning if sessions with these identifiers are stored and were deleted.
  static func warn(of sessions: [String], in database: TachogramDatabase) throws {
    let times = try CommandFailure.wording { try SyncRepository(database: database).deletions(of: sessions) }
    if let text = text(times) { StandardStreams.error("tachogram: warning: \(text)") }
  }

  /// The words for the times of the deletions, or `nil` if there are none. Dates are in UTC.
  static func text(_ times: [WallTime]) -> String? {
    let days = times.map { String(Timestamp.text($0).prefix(10)) }.sorted()
    guard let first = days.first, let last = days.last else { return nil }
    let date = first == last ? "on \(first)" : "from \(first) to \(last)"
    return times.count == 1
      ? "1 session was deleted in the space \(date); it stays on this station alone"
      : "\(times.count) sessions were deleted in the space \(date); they stay on this station alone"
  }
}
