/// Reads the attributes of a start tag. Only the entities that XML itself defines are replaced.
enum XMLAttributes {
  private static let entities = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]

  /// Returns the values of attributes by name. Throws `markup`, `entity` or `notText`.
  static func values(_ bytes: [UInt8]) throws(NightReadError.Problem) -> [String: String] {
    var values: [String: String] = [:]
    var rest = bytes[...].drop(while: isBlank)
    while !rest.isEmpty {
      let name = rest.prefix { !isBlank($0) && $0 != UInt8(ascii: "=") }
      rest = rest.dropFirst(name.count).drop(while: isBlank)
      guard !name.isEmpty, rest.first == UInt8(ascii: "=") else { throw .markup }
      rest = rest.dropFirst().drop(while: isBlank)
      guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw .markup }
      let value = rest.dropFirst().prefix { $0 != quote }
      rest = rest.dropFirst(value.count + 1)
      guard rest.first == quote else { throw .markup }
      rest = rest.dropFirst().drop(while: isBlank)
      guard let name = String(validating: name, as: UTF8.self), let text = String(validating: value, as: UTF8.self)
      else { throw .notText }
      guard values.updateValue(try replaced(text), forKey: name) == nil else { throw .markup }
    }
    return values
  }

  private static func replaced(_ text: String) throws(NightReadError.Problem) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var parts = text.split(separator: "&", omittingEmptySubsequences: false)[...]
    var result = String(parts.removeFirst())
    for part in parts {
      guard let end = part.firstIndex(of: ";"), let character = character(part[..<end]) else { throw .entity }
      result += character + part[part.index(after: end)...]
    }
    return result
  }

  private static func character(_ name: Substring) -> String? {
    guard name.hasPrefix("#") else { return entities[String(name)] }
    let digits = name.dropFirst()
    let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }
}
