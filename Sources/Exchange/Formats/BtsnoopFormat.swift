import Capture
import CommandProcess
import Repository
import TachogramCore

/// A capture that can be opened by Wireshark and replayed by `replay`.
struct BtsnoopFormat: SessionFormat {
  let format = ExportFormat.btsnoop

  func omissions(of session: StoredSession) throws -> [String] {
    try omissionsOfBeats(of: session, holdsStrap: true)
  }

  func write(_ session: StoredSession, to sink: any ByteSink) throws {
    var writer = SessionCaptureWriter(
      session: session.description, links: try session.repository.links(of: session.id))
    try sink.write(SessionCaptureWriter.fileHeader)
    try session.forEachEntry { try sink.write(writer.records($0)) }
  }
}

extension ExportFormat {
  package static let btsnoop = ExportFormat(
    name: "btsnoop", title: "btsnoop", words: "opens in Wireshark and replays here",
    mediaType: "application/octet-stream",
    isBinary: true)
}
