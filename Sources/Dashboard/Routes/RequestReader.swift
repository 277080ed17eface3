import FoundationEssentials
import Hummingbird
import HummingbirdCore
import NIOCore
import TachogramCore

/// Reads the parameters of a request; an error names the parameter.
struct RequestReader {
  let request: Request
  let context: DashboardContext

  /// Throws an error if there are unknown parameters, which would otherwise be ignored silently.
  func allow(_ names: String...) throws { try allow(names) }

  /// Throws an error if there are other parameters than these.
  func allow(_ names: [String]) throws {
    let known = Set(names)
    for name in request.uri.queryParameters.map(\.key) where !known.contains(String(name)) {
      throw DashboardError.badRequest(
        "\(name) is not a parameter of this request"
          + (names.isEmpty ? "." : "; it has \(names.joined(separator: ", "))."))
    }
  }

  // MARK: - Query

  /// Returns a text. A plus sign is a blank, as in forms of HTML, unless `keepsPlus`, as in the offset of a time.
  func text(_ name: String, most: Int = 100, keepsPlus: Bool = false) throws -> String? {
    var uri = request.uri
    if !keepsPlus, let query = uri.query, query.contains("+") { uri = URI("/?" + query.replacing("+", with: "%20")) }
    let values = uri.queryParameters.filter { $0.key == name[...] }.map(\.value)
    guard let value = values.first else { return nil }
    guard values.count == 1, (1...most).contains(value.unicodeScalars.count) else {
      throw DashboardError.badRequest("\(name) is given once, with 1 to \(most) characters.")
    }
    return String(value)
  }

  func integer(_ name: String, in range: ClosedRange<Int>, default fallback: Int) throws -> Int {
    guard let text = try text(name) else { return fallback }
    guard let value = Int(text), range.contains(value) else {
      throw DashboardError.badRequest("\(name) is a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return value
  }

  func choice<Value: RawRepresentable & CaseIterable>(
    _ name: String, default fallback: Value
  ) throws -> Value where Value.RawValue == String {
    try text(name) == nil ? fallback : choice(name, of: Array(Value.allCases), \.rawValue)
  }

  /// Returns the value with the name in the request, or the first value if the parameter is absent.
  func choice<Value>(_ name: String, of values: [Value], _ valueName: (Value) -> String) throws -> Value {
    let text = try text(name)
    guard let value = values.first(where: { text == nil || valueName($0) == text }) else {
      throw DashboardError.badRequest("\(name) is one of \(values.map(valueName).joined(separator: ", ")).")
    }
    return value
  }

  func time(_ name: String) throws -> WallTime? {
    try text(name, keepsPlus: true).map { try RequestText.time($0, name) }
  }

  func day(_ name: String) throws -> CivilDay? {
    guard let text = try text(name) else { return nil }
    guard let day = CivilDay(text: text) else {
      throw DashboardError.badRequest("\(name) is a day like 2026-03-29.")
    }
    return day
  }

  /// Returns the strap or person of a request.
  func readingChoice() throws -> ReadingChoice {
    switch (try text("strap"), try text("person")) {
    case (let strap?, nil): return .strap(strap)
    case (nil, let person?): return .person(person)
    case (nil, nil): return .automatic
    case (_?, _?): throw DashboardError.badRequest("give either strap or person.")
    }
  }

  // MARK: - Path

  /// The identifier of a session in the path.
  func session() throws -> String {
    let id = context.parameters.get("id") ?? ""
    guard RequestText.isIdentifier(id) else { throw DashboardError.notFound("there is no session \(id.prefix(40)).") }
    return id
  }

  /// The address of a strap in the path.
  func address() throws -> BluetoothAddress {
    // Only the colons of an address may be percent-encoded.
    let text = (context.parameters.get("address") ?? "").replacing("%3A", with: ":").replacing("%3a", with: ":")
    return try Self.address(text, .notFound)
  }

  static func address(_ text: String, _ kind: DashboardError.Kind) throws -> BluetoothAddress {
    guard let address = BluetoothAddress(text: text) else {
      throw DashboardError(kind, "\(text.prefix(40)) is not the address of a strap; one is like C8:DE:AD:BE:EF:01.")
    }
    return address
  }

  // MARK: - Body

  func body<Body: Decodable>(_ type: Body.Type) async throws -> Body {
    guard request.headers[.contentType]?.lowercased().hasPrefix("application/json") == true else {
      throw HTTPError(.unsupportedMediaType, message: "the body is JSON; say so with Content-Type: application/json.")
    }
    let buffer: ByteBuffer
    do {
      buffer = try await request.body.collect(upTo: context.maxUploadSize)
    } catch let error as NIOTooManyBytesError {
      throw error
    } catch {
      throw DashboardError.badRequest("the body is not as HTTP has it, or was cut off.")
    }
    return try JSONDecoder().decode(type, from: Data(buffer.readableBytesView))
  }

  /// Returns the selection and the category of a deletion from the body.
  func deletion() async throws -> (selection: SessionSelection, category: DataCategory) {
    let deletion = try await body(API.Deletion.self)
    var selection = SessionSelection()
    selection.session = deletion.session
    selection.person = deletion.person
    selection.strap = try deletion.strap.map { try Self.address($0, .badRequest) }
    if let session = deletion.session, !RequestText.isIdentifier(session) {
      throw DashboardError.badRequest("session is an identifier of 36 characters.")
    }
    if deletion.from != nil || deletion.to != nil {
      let from = try deletion.from.map { try RequestText.time($0, "from") } ?? WallTime(microseconds: .min)
      let to = try deletion.to.map { try RequestText.time($0, "to") } ?? WallTime(microseconds: .max)
      guard from <= to else { throw DashboardError.badRequest("from is after to.") }
      selection.range = from...to
    }
    let selectsAll = selection == SessionSelection()
    guard selectsAll == (deletion.everything == true) else {
      throw DashboardError.badRequest("give at least one of session, person, strap, from, to; or everything alone.")
    }
    return (selection, deletion.category)
  }
}
