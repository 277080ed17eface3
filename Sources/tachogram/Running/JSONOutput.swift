import Foundation

/// JSON with sorted keys and full precision, so that equal results are equal bytes.
struct JSONOutput {
  private let encoder: JSONEncoder

  init(isPretty: Bool) {
    encoder = JSONEncoder()
    encoder.outputFormatting =
      isPretty ? [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted] : [.sortedKeys, .withoutEscapingSlashes]
  }

  /// One object for programs, with a line end.
  static func line(_ value: some Encodable) throws -> String {
    try JSONOutput(isPretty: true).text(value) + "\n"
  }

  func text(_ value: some Encodable) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
