import Foundation
import FoundationXML

@testable import Reports

/// A page, read as XML: which elements it has, with their attributes and their text.
final class PageReading: NSObject, XMLParserDelegate {
  struct Element {
    let name: String
    let attributes: [String: String]
    var text = ""
  }

  private(set) var elements: [Element] = []
  private var open: [Int] = []

  /// `nil` for a page that is not well-formed.
  init?(_ page: Data) {
    super.init()
    let parser = XMLParser(data: page)
    parser.delegate = self
    guard parser.parse() else { return nil }
  }

  /// The elements of a name.
  func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

  /// The `id` of the elements of a name.
  func identifiers(_ name: String) -> [String] { all(name).compactMap { $0.attributes["id"] } }

  /// All text of the elements of a name, that of the elements in them too.
  func texts(_ name: String) -> [String] { all(name).map(\.text) }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName qName: String?,
    attributes attributeDict: [String: String],
  ) {
    open.append(elements.count)
    elements.append(Element(name: elementName, attributes: attributeDict))
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    for place in open { elements[place].text += string }
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName qName: String?
  ) {
    open.removeLast()
  }
}
