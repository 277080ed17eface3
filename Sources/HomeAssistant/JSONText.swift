import FoundationEssentials

/// JSON with sorted keys, so that equal values are equal messages.
enum JSONText {
  static func encode(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // The values of this module have no number and no key that JSON lacks.
    return (try? encoder.encode(value)).map(Array.init) ?? []
  }
}
