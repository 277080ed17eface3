/// A length of time, written as an integer and a unit, such as 90s, 30m, 8h or 365d.
package struct TimeSpan: Hashable, Sendable {
  private static let units: [(unit: Character, seconds: Int64)] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]
  /// The maximum of a hundred years, beyond which a value is assumed to be an error.
  private static let most: Int64 = 36_525 * 86_400

  package let seconds: Int64

  package init(seconds: Int64) {
    self.seconds = seconds
  }

  /// Parses a text, or returns `nil` if it is not a length of time, or is zero or above a hundred years.
  package init?(text: String) {
    guard let unit = text.last, let factor = Self.units.first(where: { $0.unit == unit })?.seconds,
      text.dropLast().allSatisfy({ "0"..."9" ~= $0 }), let count = Int64(text.dropLast()), count > 0,
      count <= Self.most / factor
    else { return nil }
    seconds = count * factor
  }

  package var duration: Duration { .seconds(seconds) }

  /// The text in the largest unit with an integer value.
  package var text: String {
    let unit = Self.units.first { seconds % $0.seconds == 0 } ?? ("s", 1)
    return "\(seconds / unit.seconds)\(unit.unit)"
  }
}
