import Foundation
import TachogramCore

/// JSON with sorted keys and full precision, so that equal results are equal bytes.
package struct JSONOutput {
  private let encoder: JSONEncoder

  package init(isPretty: Bool) {
    encoder = JSONEncoder()
    encoder.outputFormatting =
      isPretty ? [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted] : [.sortedKeys, .withoutEscapingSlashes]
  }

  /// Returns a value as indented JSON with a line end.
  package static func line(_ value: some Encodable) throws -> String {
    try JSONOutput(isPretty: true).text(value) + "\n"
  }

  /// Escapes the characters that control a terminal, since JSON may be shown on one. The encoder itself escapes only ASCII
  /// control characters.
  private static func escaped(_ json: String) -> String {
    // Each of these characters contains a byte that is not printable ASCII.
    guard json.utf8.contains(where: { $0 >= 0x7F }), json.unicodeScalars.contains(where: isToEscape) else {
      return json
    }
    var scalars = String.UnicodeScalarView()
    for scalar in json.unicodeScalars {
      guard isToEscape(scalar) else {
        scalars.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16)
      scalars.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
    }
    return String(scalars)
  }

  /// Only from DEL on: the ASCII controls that remain are white space between values.
  private static func isToEscape(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x7F && ChosenName.isDangerous(scalar)
  }

  package func text(_ value: some Encodable) throws -> String {
    Self.escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
