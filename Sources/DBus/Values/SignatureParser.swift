/// A recursive parser of signatures (D-Bus specification, "Type System"). The depth is checked before each recursion.
struct SignatureParser {
  private static let longest = 255
  private static let deepest = 32

  private let text: String
  private let codes: [UInt8]
  private var position = 0

  init(_ signature: String) {
    text = signature
    codes = Array(signature.utf8.prefix(Self.longest + 1))
  }

  mutating func types() throws(DBusError) -> [DBusType] {
    guard codes.count <= Self.longest else { throw .invalid("a signature longer than \(Self.longest)") }
    var types: [DBusType] = []
    while position < codes.count { types.append(try type(arrays: 0, structures: 0)) }
    return types
  }

  private mutating func type(arrays: Int, structures: Int) throws(DBusError) -> DBusType {
    let code = try next()
    switch code {
    case UInt8(ascii: "v"): return .variant
    case UInt8(ascii: "("):
      guard structures < Self.deepest else { throw damage }
      var fields: [DBusType] = []
      while try !consume(UInt8(ascii: ")")) { fields.append(try type(arrays: arrays, structures: structures + 1)) }
      guard !fields.isEmpty else { throw damage }
      return .structure(fields)
    case UInt8(ascii: "a"):
      guard arrays < Self.deepest else { throw damage }
      guard try consume(UInt8(ascii: "{")) else {
        return .array(try type(arrays: arrays + 1, structures: structures))
      }
      guard let key = DBusType.basic(code: try next()) else { throw damage }
      let value = try type(arrays: arrays + 1, structures: structures)
      guard try consume(UInt8(ascii: "}")) else { throw damage }
      return .dictionary(key, value)
    default:
      guard let basic = DBusType.basic(code: code) else { throw damage }
      return basic
    }
  }

  private var damage: DBusError { .invalid("signature \"\(text)\"") }

  private mutating func next() throws(DBusError) -> UInt8 {
    guard position < codes.count else { throw damage }
    defer { position += 1 }
    return codes[position]
  }

  /// Consumes the next code if it is `code`. Returns whether it was.
  private mutating func consume(_ code: UInt8) throws(DBusError) -> Bool {
    guard position < codes.count else { throw damage }
    guard codes[position] == code else { return false }
    position += 1
    return true
  }
}
