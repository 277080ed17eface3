import Pipeline
import Recording
import Repository
import StressKit
import TachogramCore
import TachogramTestKit

/// The session of a simulated strap that is being recorded.
enum RecordedStrap {
  /// Stores the session. Returns it, and the time of its last notification.
  static func store(in database: TachogramDatabase) throws -> (session: SessionDescription, last: WallTime) {
    let entries = CaptureBuilder.entries(SimulatedStrap().notifications())
    var session = CaptureBuilder.session(entries, strap: CaptureBuilder.strap())
    session.origin = .live
    var deriver = try SessionDeriver(session, kind: .rmssd, in: database)
    deriver.ingest(entries)
    var batch = deriver.drainRows()
    batch.links = [StrapLink(number: 0, bootID: nil, handle: 0x10, handleSource: .discovered)]
    batch.entries = entries
    try SessionRepository(database: database).begin(session, with: batch)
    return (session, entries.last?.wall ?? session.start)
  }
}
