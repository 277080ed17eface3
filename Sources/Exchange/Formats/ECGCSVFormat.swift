import CommandProcess
import TachogramCore

/// The electrocardiogram of a session: time and voltage, a sample per row.
struct ECGCSVFormat: SessionFormat {
  static let heading = "time,microvolts"

  let format = ExportFormat.ecgCSV

  let alternative: String? = nil

  func refusal(of session: StoredSession) throws -> String? { try ECGFormats.refusal(of: session) }

  func omissions(of session: StoredSession) throws -> [String] {
    try ECGFormats.omissions(ECGSurvey(of: session))
  }

  func write(_ session: StoredSession, to sink: any ByteSink) throws {
    let description = session.description
    try sink.write(Self.heading + "\n")
    try ECGSurvey(of: session).forEachFrame(of: session) { frame, stretch, _ in
      var rows = ""
      for (time, value) in zip(frame.times, frame.microvolts) {
        rows += "\(Timestamp.exactText(description.wall(stretch.time(of: time)))),\(value)\n"
      }
      try sink.write(rows)
    }
  }
}

extension ExportFormat {
  static let ecgCSV = ExportFormat(
    name: "ecg-csv", title: "ECG as CSV", words: "time and µV of the electrocardiogram", fileExtension: "ecg.csv",
    mediaType: "text/csv; charset=utf-8")
}
