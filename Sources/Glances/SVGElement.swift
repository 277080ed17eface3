/// An element of an SVG picture. Names are literals, and all texts and attribute values are escaped when they are written: no
/// external text can become markup.
struct SVGElement {
  private let name: StaticString
  private let attributes: [(name: StaticString, value: String)]
  private let text: String?
  private let children: [SVGElement]

  init(_ name: StaticString, _ attributes: [(StaticString, String)] = [], _ text: String? = nil) {
    self.init(name, attributes, text, children: [])
  }

  init(_ name: StaticString, _ attributes: [(StaticString, String)] = [], children: [SVGElement]) {
    self.init(name, attributes, nil, children: children)
  }

  private init(
    _ name: StaticString, _ attributes: [(StaticString, String)], _ text: String?, children: [SVGElement]
  ) {
    self.name = name
    self.attributes = attributes.map { (name: $0.0, value: $0.1) }
    self.text = text
    self.children = children
  }

  /// Appends the element as text.
  func write(to output: inout String) {
    output += "<\(name)"
    for attribute in attributes {
      output += " \(attribute.name)=\""
      Self.escape(attribute.value, to: &output)
      output += "\""
    }
    guard text != nil || !children.isEmpty else {
      output += "/>\n"
      return
    }
    output += ">"
    if let text { Self.escape(text, to: &output) }
    if !children.isEmpty { output += "\n" }
    for child in children { child.write(to: &output) }
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
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": output += "\u{FFFD}"
      default: output.unicodeScalars.append(scalar)
      }
    }
  }
}
