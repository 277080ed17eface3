import CommandProcess
import TachogramCore

/// Writes one stored session in one format.
package struct SessionExporter {
  package let session: StoredSession

  package init(session: StoredSession) {
    self.session = session
  }

  /// Throws a failure where `refusal` gives a reason.
  package func write(_ format: ExportFormat, to sink: any ByteSink) throws {
    if let refusal = refusal(of: format) { throw CommandFailure(refusal) }
    try SessionFormats.writer(of: format)?.write(session, to: sink)
  }

  /// Why the session cannot be written in a format, which cannot hold its date; `nil` when it can.
  package func refusal(of format: ExportFormat) -> String? {
    guard let writer = SessionFormats.writer(of: format) else { return "\(format.name) is not a format of exports" }
    let start = session.description.start
    guard let dates = writer.dates, !dates.range.contains(start) else { return nil }
    return "session \(session.id) begins at \(Timestamp.text(start)), and \(format.name) holds dates "
      + "from \(dates.words); json holds every date"
  }

  /// What the session has that the format cannot hold, in a sentence without its full stop; `nil` where it holds everything.
  package func omissions(in format: ExportFormat) throws -> String? {
    let missing = try SessionFormats.writer(of: format)?.omissions(of: session) ?? []
    guard let last = missing.last else { return nil }
    let list = missing.count == 1 ? last : missing.dropLast().joined(separator: ", ") + " and " + last
    return "\(format.name) does not hold \(list); json holds everything"
  }
}
