/// An element of an HTML or SVG page that is also well-formed XML. Names are literals, and all texts and attribute values are
/// escaped when they are written: no external text can become markup.
package struct Element {
  private enum Content {
    case text(String)
    case element(Element)
  }

  /// Elements that are written without an end tag when they are empty: the void ones of HTML, and shapes of SVG.
  private static let short: Set<String> = ["meta", "path", "rect", "line", "ellipse", "circle"]

  private let name: String
  private let attributes: [(name: String, value: String)]
  private var content: [Content] = []

  package init(_ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:], _ text: String? = nil) {
    self.name = "\(name)"
    self.attributes = attributes.map { ("\($0.key)", $0.value) }
    if let text { content.append(.text(text)) }
  }

  package init(_ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:], children: [Element]) {
    self.init(name, attributes)
    content = children.map { .element($0) }
  }

  package mutating func append(_ text: String) { content.append(.text(text)) }

  package mutating func append(_ element: Element) { content.append(.element(element)) }

  // MARK: - Writing

  /// Appends the element as text.
  package func write(to output: inout String) {
    output += "<\(name)"
    for attribute in attributes {
      output += " \(attribute.name)=\""
      Self.escape(attribute.value, to: &output)
      output += "\""
    }
    if content.isEmpty, Self.short.contains(name) {
      output += "/>\n"
      return
    }
    output += ">"
    for part in content {
      switch part {
      case .text(let text): Self.escape(text, to: &output)
      case .element(let element): element.write(to: &output)
      }
    }
    output += "</\(name)>\n"
  }

  /// Characters that XML 1.0 (section 2.2) does not allow become U+FFFD.
  private static func escape(_ text: String, to output: inout String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "\"": output += "&quot;"
      case "'": output += "&#39;"
      case "\t", "\n": output.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": output += "\u{FFFD}"
      default: output.unicodeScalars.append(scalar)
      }
    }
  }
}
