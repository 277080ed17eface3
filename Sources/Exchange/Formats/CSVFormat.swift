import CommandProcess
import Presentation
import TachogramCore

/// Beats and gaps, one per row, as read by `SessionCSV`.
struct CSVFormat: SessionFormat {
  let format = ExportFormat.csv

  func omissions(of session: StoredSession) throws -> [String] { try omissionsOfBeats(of: session) }

  func write(_ session: StoredSession, to sink: any ByteSink) throws {
    try sink.write(SessionCSV.heading + "\n")
    let description = session.description
    try session.forEachEvent { event in
      switch event {
      case .beat(let beat):
        try sink.write(
          "beat,\(beat.sequence),\(Timestamp.text(description.wall(beat.time))),\(session.offset(beat.time)),"
            + "\(DecimalText.of(beat.rr)),\(beat.rr.ticks),\(beat.marks.names.joined(separator: " ")),,\n")
      case .gap(let gap):
        try sink.write(
          "gap,\(gap.sequence),\(Timestamp.text(description.wall(gap.start))),\(session.offset(gap.start)),,,,"
            + "\(gap.seconds),\(gap.reason.rawValue)\n")
      }
    }
  }
}

extension ExportFormat {
  static let csv = ExportFormat(
    name: "csv", title: "CSV", words: "beats and gaps", mediaType: "text/csv; charset=utf-8")
}
