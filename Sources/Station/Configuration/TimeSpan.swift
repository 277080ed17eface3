/// A length of time as people write it: a whole number and a unit, as in 90s, 30m, 8h or 365d.
package struct TimeSpan: Hashable, Sendable {
  private static let units: [(unit: Character, seconds: Int64)] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]
  /// A hundred years: more is a slip of the finger.
  private static let most: Int64 = 36_525 * 86_400

  package let seconds: Int64

  package init(seconds: Int64) {
    self.seconds = seconds
  }

  /// `nil` for a text that is no length of time, or one of none or of more than a hundred years.
  package init?(text: String) {
    guard let unit = text.last, let factor = Self.units.first(where: { $0.unit == unit })?.seconds,
      text.dropLast().allSatisfy({ "0"..."9" ~= $0 }), let count = Int64(text.dropLast()), count > 0,
      count <= Self.most / factor
    else { return nil }
    seconds = count * factor
  }

  package var duration: Duration { .seconds(seconds) }

  /// In the largest unit that gives a whole number.
  package var text: String {
    let unit = Self.units.first { seconds % $0.seconds == 0 } ?? ("s", 1)
    return "\(seconds / unit.seconds)\(unit.unit)"
  }
}
