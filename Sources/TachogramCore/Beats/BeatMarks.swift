/// What makes a beat doubtful. A marked beat is kept; who uses it decides.
package struct BeatMarks: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The interval is below 273 ms (above 220 bpm).
  package static let tooShort = BeatMarks(rawValue: 1)
  /// The interval is above 2000 ms (below 30 bpm).
  package static let tooLong = BeatMarks(rawValue: 2)
  /// The strap said that it had no contact with the skin.
  package static let noContact = BeatMarks(rawValue: 4)

  /// Out of the range of a human heart at either end.
  package static let outOfRange: BeatMarks = [.tooShort, .tooLong]
}
