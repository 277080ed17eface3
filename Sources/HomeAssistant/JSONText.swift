import FoundationEssentials

/// JSON with sorted keys, so that equal values are equal messages.
package enum JSONText {
  package static func encode(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // What is sent has no number and no key that JSON lacks.
    return (try? encoder.encode(value)).map(Array.init) ?? []
  }
}
