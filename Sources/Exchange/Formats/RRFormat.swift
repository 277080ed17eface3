import CommandProcess
import TachogramCore

/// One interval in ms per line. The start and the gaps are comments that `analyze` and `import` understand and other programs
/// ignore.
struct RRFormat: SessionFormat {
  let format = ExportFormat.rr

  func omissions(of session: StoredSession) throws -> [String] {
    let gaps = session.record.gapCount > 0 ? ["when beats were, but for the length of gaps"] : []
    return try omissionsOfBeats(of: session) + gaps
  }

  func write(_ session: StoredSession, to sink: any ByteSink) throws {
    var isFirst = true
    try session.forEachEvent { event in
      switch event {
      case .beat(let beat):
        if isFirst {
          let start = session.description.wall(beat.start)
          try sink.write("# start \(Timestamp.exactText(start))\n")
          isFirst = false
        }
        try sink.write("\(DecimalText.of(beat.rr))\n")
      case .gap(let gap):
        try sink.write("# gap \(gap.seconds) s \(gap.reason.rawValue)\n")
      }
    }
  }
}

extension ExportFormat {
  package static let rr = ExportFormat(
    name: "rr", title: "RR text", words: "one interval in ms a line", fileExtension: "rr.txt",
    mediaType: "text/plain; charset=utf-8")
}
