import CommandProcess
import TachogramCore

/// Everything as one object, as read by `SessionArchive`.
struct JSONFormat: SessionFormat {
  let format = ExportFormat.json
  let dates: (range: ClosedRange<WallTime>, words: String)? = nil

  func omissions(of session: StoredSession) throws -> [String] { [] }

  func write(_ session: StoredSession, to sink: any ByteSink) throws {
    try JSONExport(session: session).write(to: sink)
  }
}

extension ExportFormat {
  package static let json = ExportFormat(
    name: "json", title: "JSON", words: "everything", mediaType: "application/json; charset=utf-8")
}
