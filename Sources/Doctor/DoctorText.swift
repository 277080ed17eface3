import Presentation

/// A doctor's report for people: sign and word of each finding, its remedy below it.
package struct DoctorText {
  private static let label = 10
  private static let narrowest = 40

  package let style: TerminalStyle
  package let columns: Int

  package init(style: TerminalStyle, columns: Int = 100) {
    self.style = style
    self.columns = max(Self.narrowest, min(columns, 120))
  }

  /// Returns the report, ended by a newline.
  package func text(_ report: DoctorReport) -> String {
    var lines: [String] = []
    for finding in report.findings {
      let (sign, word, look) = looks(finding.severity)
      let label = StyledText("\(sign) \(word)", look).fitted(to: Self.label)
      let head = style.colour ? label.rendered(colour: true) : label.plain
      lines += indented(finding.what, first: head, indent: Self.label)
      if let remedy = finding.remedy {
        lines += indented(
          remedy, first: String(repeating: " ", count: Self.label) + (style.unicode ? "→ " : "> "),
          indent: Self.label + 2)
      }
    }
    let counts = [("problem", DoctorFinding.Severity.problem), ("warning", .warning)].compactMap { name, severity in
      let count = report.findings.count { $0.severity == severity }
      return count == 0 ? nil : "\(count) \(name)\(count == 1 ? "" : "s")"
    }
    let verdict = report.usable ? "Straps can be received" : "Straps cannot be received: start with the first fix"
    lines.append("")
    let summary = counts.isEmpty ? "." : " (\(counts.joined(separator: ", ")))."
    lines += indented(verdict + summary, first: "", indent: 0)
    return lines.joined(separator: "\n") + "\n"
  }

  private func looks(_ severity: DoctorFinding.Severity) -> (String, String, TextStyle) {
    switch severity {
    case .ok: (style.unicode ? "✓" : "+", "ok", .good)
    case .warning: ("!", "warning", .notice)
    case .problem: (style.unicode ? "✗" : "x", "problem", .bad)
    }
  }

  /// The text broken between words, below each other behind `first`. Messages of other programs are in it.
  private func indented(_ text: String, first: String, indent: Int) -> [String] {
    let room = columns - indent
    var lines: [String] = []
    var line = ""
    // Not shortened at 256 characters, so taken word by word.
    for word in text.split(whereSeparator: \.isWhitespace) {
      let word = TerminalText.safe(word, unicode: style.unicode)
      if !line.isEmpty, DisplayWidth.columns(line) + 1 + DisplayWidth.columns(word) > room {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
    let blanks = String(repeating: " ", count: indent)
    return lines.enumerated().map { ($0 == 0 ? first : blanks) + $1 }
  }
}
