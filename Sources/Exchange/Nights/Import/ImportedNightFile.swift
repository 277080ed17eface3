import Presentation
import Sleep
import TachogramCore

/// A night of a file that was imported.
package struct ImportedNightFile: Encodable {
  package enum Outcome: String, Encodable {
    /// It is stored now.
    case new
    /// It was stored already, and is unchanged.
    case known
    /// It was stored with other stages, which are replaced.
    case changed
  }

  package let file: String
  /// The form of the file.
  package let format: String
  package let session: String
  package let outcome: Outcome
  /// The device or program that the file names.
  package let source: String?
  package let person: String?
  package let start: String
  package let end: String
  package let minutesAsleep: Double
  /// The number of epochs whose stage is unknown.
  package let unknownEpochs: Int
  /// The number of epochs for which the file has contradictory stages.
  package let contradictoryEpochs: Int
  /// Values that have no place in a night.
  package let note: String?

  init(file: String, _ night: ImportedNight, session: String, person: String?, outcome: Outcome) {
    let length = Int64(night.stages.count) * SleepAxis.microsecondsPerEpoch
    self.file = file
    self.session = session
    self.outcome = outcome
    self.person = person
    format = night.form.rawValue
    source = night.source
    start = Timestamp.text(night.start)
    end = Timestamp.text(night.start.advanced(byMicroseconds: length))
    minutesAsleep = Double(night.stages.count(where: \.isSleep)) / 2
    unknownEpochs = night.stages.count { $0 == .unknown }
    contradictoryEpochs = night.contradictions
    note = night.note
  }

  /// The result as a line of readable text.
  package var text: String {
    let stored =
      switch outcome {
      case .new: "session"
      case .known: "already stored as session"
      case .changed: "replaces the stages of session"
      }
    let parts = [
      "\(format), \(stored) \(session.prefix(8))", source.map { "from \(TerminalText.safe($0))" }, "\(start) to \(end)",
      "\(Int(minutesAsleep.rounded())) min asleep", unknownEpochs > 0 ? "\(unknownEpochs) epochs unknown" : nil,
      contradictoryEpochs > 0 ? "\(contradictoryEpochs) epochs contradictory" : nil, note.map(TerminalText.safe),
    ]
    return "\(TerminalText.line(file)): \(parts.compactMap(\.self).joined(separator: ", "))\n"
  }
}
