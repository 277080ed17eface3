import Foundation

/// Describes where JSON differs from the expected structure.
struct JSONProblem {
  /// The fields of exports that are whole numbers, in addition to the times, whose names end in "Us".
  private static let wholeFields: Set<String> = [
    "sequence", "link", "heartRate", "energyExpendedKJ", "rr1024", "count", "lengthSeconds",
  ]

  let text: String

  init(_ error: DecodingError, in data: Data) {
    text =
      switch error {
      case .keyNotFound(let key, let context): "\"\(key.stringValue)\" is missing \(Self.place(context.codingPath))"
      case .typeMismatch(_, let context), .valueNotFound(_, let context):
        "a value of another type \(Self.place(context.codingPath))"
      case .dataCorrupted(let context): Self.corrupted(context, data)
      @unknown default: "it cannot be read"
      }
  }

  /// For a number that should be whole and is not, Foundation reports invalid JSON without a position.
  private static func corrupted(_ context: DecodingError.Context, _ data: Data) -> String {
    let isPlaced = !context.codingPath.isEmpty
    guard !isPlaced, let json = try? JSONSerialization.jsonObject(with: data) else {
      return "\(context.debugDescription) \(place(context.codingPath))"
    }
    return "a number that is not whole, or too large, at \(fraction(in: json, at: "") ?? "a place of a whole one")"
  }

  /// Returns the place of the first number that should be whole and is not.
  private static func fraction(in json: Any, at place: String) -> String? {
    switch json {
    case let object as [String: Any]:
      for (key, value) in object.sorted(by: { $0.key < $1.key }) {
        let inner = place.isEmpty ? key : "\(place).\(key)"
        let isWhole = key.hasSuffix("Us") || wholeFields.contains(key)
        if isWhole, ((value as? [Any]) ?? [value]).contains(where: { !isInteger($0) }) { return inner }
        if let found = fraction(in: value, at: inner) { return found }
      }
    case let array as [Any]:
      for (index, value) in array.enumerated() {
        if let found = fraction(in: value, at: "\(place)[\(index)]") { return found }
      }
    default:
      break
    }
    return nil
  }

  /// Whether a value is not a number, or is a whole number that fits.
  private static func isInteger(_ value: Any) -> Bool {
    guard let number = (value as? NSNumber)?.doubleValue else { return true }
    return Int64(exactly: number) != nil
  }

  private static func place(_ path: [any CodingKey]) -> String {
    let keys = path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    return keys.isEmpty ? "at its top" : "at \(keys.drop { $0 == "." })"
  }
}
