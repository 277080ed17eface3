import CommandProcess
import TachogramCore

/// A writer of one stored session in any format.
package struct SessionExporter {
  package let session: StoredSession

  package init(session: StoredSession) {
    self.session = session
  }

  /// Writes the session. Throws a failure if `refusal` returns a reason.
  package func write(_ format: ExportFormat, to sink: any ByteSink) throws {
    if let refusal = refusal(of: format) { throw CommandFailure(refusal) }
    try SessionFormats.writer(of: format)?.write(session, to: sink)
  }

  /// Returns the reason why the format cannot represent the session or its date, or `nil` if it can.
  package func refusal(of format: ExportFormat) -> String? {
    guard let writer = SessionFormats.writer(of: format) else { return "\(format.name) is not a format of exports" }
    let start = session.description.start
    guard let dates = writer.dates, !dates.range.contains(start) else {
      // What cannot be read is reported when it is written.
      return try? writer.refusal(of: session)
    }
    return "session \(session.id) begins at \(Timestamp.text(start)), and \(format.name) holds dates "
      + "from \(dates.words); json holds every date"
  }

  /// Returns a sentence without its full stop about the data of the session that the format cannot represent, or `nil` if it
  /// represents everything.
  package func omissions(in format: ExportFormat) throws -> String? {
    guard let writer = SessionFormats.writer(of: format) else { return nil }
    let missing = try writer.omissions(of: session)
    guard let last = missing.last else { return nil }
    let list = missing.count == 1 ? last : missing.dropLast().joined(separator: ", ") + " and " + last
    return "\(format.name) does not hold \(list)" + (writer.alternative.map { "; \($0)" } ?? "")
  }
}
