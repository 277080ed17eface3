/// Reads the start tags of one element from an XML document of any size, in memory that does not depend on it.
///
/// It checks that tags are closed in number and that the document ends with its root, and passes over text, comments and
/// instructions. A document type may describe elements; one that declares entities is refused, so that nothing is expanded.
struct XMLTagScanner {
  /// A start tag.
  struct Tag {
    /// What is between the name and the end.
    let attributes: [UInt8]
    let place: NightReadError.Place
  }

  private static let longestTag = 1 << 20

  private var bytes: FileBytes
  private let root: [UInt8]
  private let element: [UInt8]
  /// The number of open elements, or `nil` before the root.
  private var depth: Int?

  /// Creates a scanner of the elements with a name in a document with a root.
  init(_ bytes: FileBytes, root: String, element: String) {
    self.bytes = bytes
    self.root = Array(root.utf8)
    self.element = Array(element.utf8)
  }

  /// Returns the next start tag of the element, or `nil` at the end of the document.
  mutating func next() throws -> Tag? {
    while try bytes.skip(to: UInt8(ascii: "<")) {
      let place = place
      guard let first = try bytes.next() else { throw NightReadError(.unexpectedEnd, at: place) }
      switch first {
      case UInt8(ascii: "?"): try skip(behind: "?>")
      case UInt8(ascii: "!"): try skipDeclaration()
      case UInt8(ascii: "/"): try close()
      default: if let tag = try open(first, place) { return tag }
      }
    }
    guard let depth else { throw NightReadError(.otherDocument) }
    if depth > 0 { throw NightReadError(.unexpectedEnd, at: place) }
    return nil
  }

  private var place: NightReadError.Place { .byte(bytes.offset, line: bytes.line) }

  // MARK: - Tags

  private mutating func open(_ first: UInt8, _ place: NightReadError.Place) throws -> Tag? {
    guard first > 0x20, !"=\"'&>".utf8.contains(first) else { throw NightReadError(.markup, at: place) }
    if depth == 0 { throw NightReadError(.markup, at: place) }
    var name = [first]
    var attributes: [UInt8] = []
    var (isNameOver, isWanted, quote, last, length): (Bool, Bool, UInt8?, UInt8, Int) = (false, false, nil, first, 0)
    while let byte = try bytes.next() {
      length += 1
      if length > Self.longestTag { throw NightReadError(.longTag, at: place) }
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: ">") {
        return try opened(name, attributes, isEmpty: last == UInt8(ascii: "/"), place)
      } else if byte == UInt8(ascii: "<") {
        throw NightReadError(.markup, at: self.place)
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
      last = byte
      if !isNameOver, byte <= 0x20 || byte == UInt8(ascii: "/") { (isNameOver, isWanted) = (true, name == element) }
      if !isNameOver {
        name.append(byte)
      } else if isWanted {
        attributes.append(byte)
      }
    }
    throw NightReadError(.unexpectedEnd, at: place)
  }

  private mutating func opened(
    _ name: [UInt8], _ attributes: [UInt8], isEmpty: Bool, _ place: NightReadError.Place
  ) throws -> Tag? {
    if depth == nil, name != root { throw NightReadError(.otherDocument, at: place) }
    depth = (depth ?? 0) + (isEmpty ? 0 : 1)
    guard name == element else { return nil }
    return Tag(attributes: isEmpty ? attributes.dropLast() : attributes, place: place)
  }

  private mutating func close() throws {
    guard let open = depth, open > 0 else { throw NightReadError(.markup, at: place) }
    guard try bytes.skip(to: UInt8(ascii: ">")) else { throw NightReadError(.unexpectedEnd, at: place) }
    depth = open - 1
  }

  // MARK: - What is passed over

  /// Skips a comment, a section of character data, or a document type, whose `<!` was read.
  private mutating func skipDeclaration() throws {
    let place = place
    switch try bytes.next() {
    case UInt8(ascii: "-"): try skip(behind: "-->")
    case UInt8(ascii: "["): try skip(behind: "]]>")
    case UInt8(ascii: "D"): try skipDocumentType()
    default: throw NightReadError(.markup, at: place)
    }
  }

  private mutating func skip(behind end: String) throws {
    let (end, place) = (Array(end.utf8), place)
    var last: [UInt8] = []
    while let byte = try bytes.next() {
      last.append(byte)
      if last.count > end.count { last.removeFirst() }
      if last == end { return }
    }
    throw NightReadError(.unexpectedEnd, at: place)
  }

  private mutating func skipDocumentType() throws {
    let place = place
    var (text, depth, quote): ([UInt8], Int, UInt8?) = ([], 0, nil)
    while let byte = try bytes.next() {
      text.append(byte)
      if text.count > Self.longestTag { throw NightReadError(.longTag, at: place) }
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "["), UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "-") where text.suffix(4).elementsEqual("<!--".utf8):
        try skip(behind: "-->")
        depth -= 1
        text.removeLast(4)
      case UInt8(ascii: ">") where depth == 0: return
      case UInt8(ascii: ">"): depth -= 1
      case UInt8(ascii: "Y") where text.suffix(8).elementsEqual("<!ENTITY".utf8):
        throw NightReadError(.entities, at: self.place)
      default: break
      }
    }
    throw NightReadError(.unexpectedEnd, at: place)
  }
}
