import CommandProcess
import TachogramCore

/// Time and interval in s, as read by Kubios HRV. The format has neither comments nor headings: the times show the gaps.
struct KubiosFormat: SessionFormat {
  let format = ExportFormat.kubios
  let dates: (range: ClosedRange<WallTime>, words: String)? = nil

  func omissions(of session: StoredSession) throws -> [String] {
    let date = "the date (import it with --start \(Timestamp.exactText(try session.firstInterval())))"
    let gaps = session.record.gapCount > 0 ? ["gaps below 0.25 s and the reasons of gaps"] : []
    return try [date] + omissionsOfBeats(of: session) + gaps
  }

  func write(_ session: StoredSession, to sink: any ByteSink) throws {
    var origin: MonotonicTime?
    try session.forEachBeat { beat in
      let start = origin ?? beat.start
      origin = start
      let seconds = beat.time.seconds(since: start)
      try sink.write("\(seconds)\t\(Double(beat.rr.ticks) / 1024)\n")
    }
  }
}

extension ExportFormat {
  static let kubios = ExportFormat(
    name: "kubios", title: "Kubios text", words: "time and interval in s", fileExtension: "kubios.txt",
    mediaType: "text/plain; charset=utf-8")
}
