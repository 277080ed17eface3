import Foundation
import FoundationXML

@testable import Glances

/// The elements of a picture, as an XML parser reads them.
final class PictureReading: NSObject, XMLParserDelegate {
  struct Element {
    var name: String
    var attributes: [String: String]
    var text = ""
    /// The place of the picture that it is in.
    var origin: (x: Double, y: Double)

    var classes: Set<String> { Set((attributes["class"] ?? "").split(separator: " ").map(String.init)) }

    func number(_ name: String) -> Double { attributes[name].flatMap { Double($0) } ?? 0 }

    /// The rectangle that a text or an icon covers; text as wide as in DejaVu Sans. `nil` for other elements.
    var box: CGRect? {
      switch name {
      case "text":
        let (size, isStrong) = (number("font-size"), classes.contains("strong"))
        let width = TextWidth.of(text, size: size, isBold: isStrong)
        let anchor = attributes["text-anchor"]
        let shift: Double = anchor == "middle" ? width / 2 : anchor == "end" ? width : 0
        // Letters are up to 0.76 of the font size above the baseline and 0.24 below it; descenders rarely meet capitals.
        let left: Double = origin.x + number("x") - shift
        let top: Double = origin.y + number("y") - 0.76 * size
        return CGRect(x: left, y: top, width: width, height: 0.86 * size)
      case "path":
        guard
          let match = attributes["transform"]?.firstMatch(of: /translate\(([-.0-9]+) ([-.0-9]+)\)scale\(([.0-9]+)\)/),
          let x = Double(match.1), let y = Double(match.2), let scale = Double(match.3)
        else { return nil }
        return CGRect(x: x + 2 * scale, y: y + 2 * scale, width: 20 * scale, height: 20 * scale)
      default: return nil
      }
    }
  }

  private(set) var elements: [Element] = []
  private(set) var isWellFormed = false
  private var open: [Int] = []
  private var origins: [(x: Double, y: Double)] = [(0, 0)]

  init(_ picture: String) {
    super.init()
    let parser = XMLParser(data: Data(picture.utf8))
    parser.delegate = self
    isWellFormed = parser.parse()
  }

  func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

  var texts: [String] { all("text").map(\.text) }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String] = [:],
  ) {
    let origin = origins.last ?? (0, 0)
    let element = Element(name: name, attributes: attributes, origin: origin)
    open.append(elements.count)
    origins.append(name == "svg" ? (origin.x + element.number("x"), origin.y + element.number("y")) : origin)
    elements.append(element)
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let last = open.last { elements[last].text += text }
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    open.removeLast()
    origins.removeLast()
  }
}
