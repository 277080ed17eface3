/// The appearance of the overlay, from the query of its address. Every value is one of a closed list, a number or a hexadecimal
/// colour, so that none can contain markup.
struct OverlayOptions {
  static let parameters = [
    "fields", "size", "colour", "background", "backdrop", "font", "align", "shadow", "strap", "person",
  ]

  /// The fields that a query selects, in its order. The default is the heart rate.
  static func fields(_ reader: RequestReader) throws -> [Overlay.Field] {
    guard let text = try reader.text("fields") else { return [.heartRate] }
    let fields = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Overlay.Field(rawValue: String($0))
    }
    let known = fields.compactMap { $0 }
    guard known.count == fields.count, Set(known).count == known.count else {
      let all = Overlay.Field.allCases.map(\.rawValue).joined(separator: ", ")
      throw DashboardError.badRequest("fields has some of \(all), each once, with commas between them.")
    }
    return known
  }

  /// The attributes of the body of the page, with their values.
  let attributes: [(name: String, value: String)]

  init(_ reader: RequestReader) throws {
    attributes = [
      ("fields", try Self.fields(reader).map(\.rawValue).joined(separator: " ")),
      ("size", "\(try reader.integer("size", in: 8...400, default: 64))"),
      ("colour", try Self.colour("colour", reader) ?? "white"),
      ("background", try Self.colour("background", reader, or: ["transparent"]) ?? "transparent"),
      ("backdrop", try Self.colour("backdrop", reader, or: ["transparent"]) ?? "transparent"),
      ("font", try reader.choice("font", default: Overlay.Font.system).rawValue),
      ("align", try reader.choice("align", default: Overlay.Alignment.left).rawValue),
      ("shadow", try reader.choice("shadow", default: Overlay.Shadow.soft).rawValue),
    ]
    _ = try reader.readingChoice()
  }

  /// Returns the page with these options.
  func page(_ document: String) -> String {
    let text = attributes.map { " data-\($0.name)=\"\($0.value)\"" }.joined()
    return document.replacing("<body>", with: "<body\(text)>", maxReplacements: 1)
  }

  /// Returns a colour as CSS has it. The `#` of a hexadecimal colour may be omitted, since a URL has to encode it.
  private static func colour(_ name: String, _ reader: RequestReader, or others: [String] = []) throws -> String? {
    guard let text = try reader.text(name)?.lowercased() else { return nil }
    if (Overlay.colours + others).contains(text) { return text }
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    guard [3, 4, 6, 8].contains(digits.utf8.count), digits.utf8.allSatisfy(isDigit) else {
      throw DashboardError.badRequest(
        "\(name) is a hexadecimal colour such as ff8800, or one of \((others + Overlay.colours).joined(separator: ", "))."
      )
    }
    return "#" + digits
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) || (97...102).contains(byte) }
}
