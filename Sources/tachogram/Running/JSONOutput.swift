import Foundation

/// JSON with sorted keys and full precision, so that equal results are equal bytes.
struct JSONOutput {
  private let encoder: JSONEncoder

  init(isPretty: Bool) {
    encoder = JSONEncoder()
    encoder.outputFormatting =
      isPretty ? [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted] : [.sortedKeys, .withoutEscapingSlashes]
  }

  func text(_ value: some Encodable) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
