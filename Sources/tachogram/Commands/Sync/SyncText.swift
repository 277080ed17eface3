import CommandProcess
import Presentation
import Sync
import SyncEngine
import TachogramCore

/// The words of the `sync` commands.
enum SyncText {
  /// Checks the name of a station.
  static func name(_ text: String) throws -> String {
    do {
      return try ChosenName(text).text
    } catch {
      throw CommandFailure("--name: \(error)", code: .badUsage)
    }
  }

  /// The recovery words, six in a line.
  static func recovery(_ key: RecoveryKey) -> String {
    let words = RecoveryWords.words(key)
    let lines = stride(from: 0, to: words.count, by: 6).map { start in
      "  " + words[start..<min(start + 6, words.count)].joined(separator: " ")
    }
    return """
      Write these words down and keep them away from the stations. They are shown once, and read everything in the space:

      \(lines.joined(separator: "\n"))

      With them, `tachogram sync recover` brings everything back when all stations are lost.


      """
  }

  /// What a synchronisation did.
  static func pass(_ pass: SpaceState.Pass) -> String {
    var lines: [String] = []
    if pass.isNewMember {
      lines.append(
        "Another station uses the keys of this one, as a copied card does: this station is a new member now.")
    }
    if pass.adopted.count > 0 {
      lines.append("\(count(pass.adopted.count, "chunk")) of this station came back from the store.")
    }
    lines.append(
      "Sent \(count(pass.uploaded.count, "chunk")) (\(pass.uploaded.bytes) bytes), "
        + "received \(count(pass.download.count, "chunk")) with \(count(pass.download.sessions.count, "session")).")
    if pass.download.unknownKindCount > 0 {
      lines.append(
        "\(count(pass.download.unknownKindCount, "chunk")) of a kind that this version does not know "
          + "\(verb(pass.download.unknownKindCount, "stays", "stay")) in the store; update this station.")
    }
    for refused in pass.download.refused {
      lines.append("Chunk \(refused.sequence) of station \(refused.station.words) was refused: \(refused.reason)")
    }
    return lines.map { TerminalText.line($0) + "\n" }.joined()
  }

  /// The problems of a report, with what to do.
  static func findings(_ report: SyncStatusReport) -> [String] {
    report.findings.flatMap { ["\($0.text)", "  \($0.advice)"] }
  }

  /// What repairing the store did.
  static func repair(_ repair: SpaceState.Repair) -> String {
    let (sent, lost) = (repair.sentCount, repair.lostCount)
    var lines: [String] = []
    if sent > 0 {
      lines.append(
        "\(count(sent, "chunk")) of this station \(verb(sent, "was", "were")) missing or damaged and "
          + "\(verb(sent, "is", "are")) there again.")
    }
    if lost > 0 {
      lines.append(
        "\(count(lost, "chunk")) \(verb(lost, "is", "are")) no longer kept, since all readers had "
          + "\(verb(lost, "it: its", "them: their")) contents are sealed again.")
    }
    if lines.isEmpty { lines = ["The store has all chunks of this station."] }
    return lines.map { $0 + "\n" }.joined()
  }

  static func count(_ number: Int, _ thing: String) -> String { number == 1 ? "1 \(thing)" : "\(number) \(thing)s" }

  /// Returns the word for one thing, or that for another number of things.
  static func verb(_ number: Int, _ one: String, _ several: String) -> String { number == 1 ? one : several }

  /// Returns a text with spaces for its line ends.
  static func joined(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
