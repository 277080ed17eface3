import Capture
import Pipeline
import TachogramCore
import TachogramTestKit

/// Checks that the export of a session replays to its original: the same values, and the same beats at the same distances.
enum ExportCheck {
  /// The times that btsnoop can represent, in microseconds since 1970, and the longest silence that a reader of captures
  /// accepts.
  private static let times: ClosedRange<Int64> = 1...253_402_300_799_999_999
  private static let silence: Int64 = 86_400_000_000

  static func check(
    _ session: SessionDescription, _ links: [StrapLink], _ entries: [LedgerEntry], _ batch: SessionBatch
  ) throws {
    guard isExportable(session, links, entries) else { return }
    var writer = SessionCaptureWriter(session: session, links: links)
    let file = SessionCaptureWriter.fileHeader + entries.flatMap { writer.records($0) }
    let again = try MemoryFile.withPath(file) { try ReplayedLedger(CaptureReplay(path: $0)) }
    let replayed = again.entries[0] ?? []
    try FuzzFinding.unless(
      again.straps.count == 1 && replayed.map(\.content) == entries.map(\.content),
      "the export replays to \(again.straps.count) straps and \(replayed.count) of \(entries.count) entries")
    guard let first = replayed.first else { return }
    var description = session
    (description.start, description.monotonicStart) = (first.wall, first.monotonic)
    var deriver = SessionCheck.deriver(description)
    deriver.ingest(replayed)
    deriver.finish()
    let copy = deriver.drainRows()
    let offsets = { (batch: SessionBatch, start: MonotonicTime) in
      batch.beats.map { $0.time.microseconds(since: start) }
    }
    try FuzzFinding.unless(
      offsets(copy, first.monotonic) == offsets(batch, session.monotonicStart),
      "the export replays to other beats")
  }

  /// Whether a capture can represent the session: no attribute has handle 0, and no capture times before 1970.
  private static func isExportable(
    _ session: SessionDescription, _ links: [StrapLink], _ entries: [LedgerEntry]
  ) -> Bool {
    let stamps = entries.map { session.wall($0.monotonic).microseconds }
    return links.allSatisfy { $0.handle > 0 && $0.handle < .max } && stamps.allSatisfy(times.contains)
      && zip(stamps, stamps.dropFirst()).allSatisfy { $1 - $0 <= silence }
  }
}
