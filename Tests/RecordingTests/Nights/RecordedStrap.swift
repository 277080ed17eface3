import Pipeline
import Recording
import Repository
import StressKit
import TachogramCore
import TachogramTestKit

/// The session of a simulated strap.
enum RecordedStrap {
  /// Stores the session, which is being recorded unless it is over. Returns it, and the time of its last notification.
  static func store(
    in database: TachogramDatabase, isOver: Bool = false
  ) throws -> (session: SessionDescription, last: WallTime) {
    let entries = CaptureBuilder.entries(SimulatedStrap().notifications())
    var session = CaptureBuilder.session(entries, strap: CaptureBuilder.strap())
    session.origin = .live
    var deriver = try SessionDeriver(session, kind: .rmssd, in: database)
    deriver.ingest(entries)
    if isOver { deriver.finish() }
    var batch = deriver.drainRows()
    batch.links = [StrapLink(number: 0, bootID: nil, handle: 0x10, handleSource: .discovered)]
    batch.entries = entries
    let repository = SessionRepository(database: database)
    try repository.begin(session, with: batch)
    if isOver { try repository.finish(session.id) }
    return (session, entries.last?.wall ?? session.start)
  }
}
