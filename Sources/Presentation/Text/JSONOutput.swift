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

  /// One object for programs, with a line end.
  package static func line(_ value: some Encodable) throws -> String {
    try JSONOutput(isPretty: true).text(value) + "\n"
  }

  /// JSON on a terminal is read there: what acts on one, and is text in JSON, is written as its number. The encoder does this
  /// for the controls of ASCII alone.
  private static func escaped(_ json: String) -> String {
    // Each of them has a byte that no printable ASCII has.
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

  /// Beyond ASCII, whose controls are white space between values.
  private static func isToEscape(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x7F && ChosenName.isDangerous(scalar)
  }

  package func text(_ value: some Encodable) throws -> String {
    Self.escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
