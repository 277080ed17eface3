/// The reasons why a beat is doubtful. A marked beat is kept; its users decide whether to trust it.
public struct BeatMarks: OptionSet, Hashable, Sendable {
  /// A bit for each mark.
  public let rawValue: UInt8

  /// Creates the marks whose bits are set in `rawValue`.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The interval is below 273 ms (above 220 bpm): `IntervalRange.tooShort`.
  public static let tooShort = BeatMarks(rawValue: 1)
  /// The interval is above 2000 ms (below 30 bpm): `IntervalRange.tooLong`, or a gap.
  public static let tooLong = BeatMarks(rawValue: 2)
  /// The strap reported that it had no contact with the skin.
  public static let noContact = BeatMarks(rawValue: 4)

  /// The interval is outside the range of a human heart: too short or too long.
  public static let outOfRange = BeatMarks(rawValue: 3)

  /// Creates the marks of an interval from its length and from whether the strap had skin contact.
  public init(_ rr: RRInterval, hasContact: Bool) {
    let range: UInt8 =
      switch IntervalRange(rr) {
      case .inRange: 0
      case .tooShort: Self.tooShort.rawValue
      case .tooLong, .gap: Self.tooLong.rawValue
      }
    rawValue = range | (hasContact ? 0 : Self.noContact.rawValue)
  }

  /// Whether the interval is outside the range of a human heart.
  public var isOutOfRange: Bool { rawValue & Self.outOfRange.rawValue != 0 }

  /// Whether the strap had no contact with the skin.
  public var isWithoutContact: Bool { rawValue & Self.noContact.rawValue != 0 }
}
