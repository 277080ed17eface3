import FoundationEssentials
import Pipeline
import Repository
import StressKit
import TachogramCore

/// Computes a reading from the notifications that arrived in its time, with the code that also derives sessions.
package enum ReadingAnalysis {
  /// Returns the reading of a part of a session. Intervals count as those of the notification that reported them.
  package static func reading(
    _ kind: HRVReading.Kind, id: String, of session: SessionDescription, from start: WallTime, for duration: Duration,
    in database: TachogramDatabase,
  ) throws -> HRVReading {
    let end = start.advanced(by: duration)
    let entries = try SessionRepository(database: database).entries(of: session.id, after: start, until: end)
    var part = session
    (part.start, part.monotonicStart) = (start, entries.first?.monotonic ?? session.monotonicStart)
    var deriver = SessionDeriver(
      part, baseline: .default(kind: .sdnn, lastUpdated: start.date), output: .report)
    deriver.ingest(entries)
    deriver.finish()
    let series = deriver.report().series
    let (quality, metrics) = (series.correction.quality, series.correction.metrics)
    return HRVReading(
      id: id, kind: kind, person: session.person, session: session.id, start: start, duration: duration,
      coverage: min(1, series.beats.coverage * series.beats.spanSeconds / duration.inSeconds),
      artifactShare: quality.total == 0 ? 0 : Double(quality.untrusted) / Double(quality.total),
      count: quality.total, meanHeartRate: metrics[.meanHeartRate], sdnn: metrics[.sdnn], rmssd: metrics[.rmssd])
  }
}
