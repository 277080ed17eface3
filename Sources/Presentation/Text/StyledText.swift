/// A styled line, or a part of one. It must not contain control characters: text from outside is first cleaned with
/// `TerminalText`.
package struct StyledText: Hashable, Sendable, ExpressibleByStringLiteral {
  private struct Span: Hashable, Sendable {
    var text: String
    var style: TextStyle
  }

  private var spans: [Span] = []
  /// The width in columns.
  package private(set) var width = 0

  package init() {}

  package init(_ text: String, _ style: TextStyle = .plain) {
    append(text, style)
  }

  package init(stringLiteral text: String) {
    append(text)
  }

  package mutating func append(_ text: String, _ style: TextStyle = .plain) {
    guard !text.isEmpty else { return }
    append(Span(text: text, style: style), width: DisplayWidth.columns(text))
  }

  private mutating func append(_ span: Span, width columns: Int) {
    width += columns
    if let last = spans.indices.last, spans[last].style == span.style {
      spans[last].text += span.text
    } else {
      spans.append(span)
    }
  }

  package static func + (left: StyledText, right: StyledText) -> StyledText {
    var sum = left
    sum += right
    return sum
  }

  package static func += (left: inout StyledText, right: StyledText) {
    for span in right.spans { left.append(span, width: 0) }
    left.width += right.width
  }

  /// The text without styles.
  package var plain: String { spans.map(\.text).joined() }

  /// Returns the beginning that fits into `columns`; a wide character that crosses the edge is omitted.
  package func clipped(to columns: Int) -> StyledText {
    guard width > columns else { return self }
    var result = StyledText()
    var room = max(0, columns)
    for span in spans {
      var kept = ""
      for scalar in span.text.unicodeScalars {
        let needed = DisplayWidth.columns(scalar)
        guard needed <= room else {
          result.append(kept, span.style)
          return result
        }
        room -= needed
        kept.unicodeScalars.append(scalar)
      }
      result.append(kept, span.style)
    }
    return result
  }

  /// Returns the text with a width of exactly `columns`: clipped, or padded with blanks.
  package func fitted(to columns: Int) -> StyledText {
    var result = clipped(to: columns)
    if result.width < columns { result.append(String(repeating: " ", count: columns - result.width)) }
    return result
  }

  /// Returns the text in a single style.
  package func styled(_ style: TextStyle) -> StyledText {
    StyledText(plain, style)
  }

  /// Returns the text with the escape sequences of its styles.
  package func rendered(colour: Bool) -> String {
    var line = ""
    for span in spans {
      let parameters = span.style.parameters(colour: colour)
      line += parameters.isEmpty ? span.text : "\u{1B}[\(parameters)m\(span.text)\u{1B}[0m"
    }
    return line
  }
}
