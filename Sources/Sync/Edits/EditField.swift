/// A field that people enter. Fields of newer programs are kept by their number.
package enum EditField: Hashable, Sendable {
  /// The name of a person, strap or station, or the label of a session.
  case name
  case note
  /// The person who wore the strap of a session.
  case person
  /// The person to whom a strap belongs.
  case owner
  /// The session of a marker, its time on the axis of the session in microseconds, and its text, separated by line ends.
  case marker
  /// The number of entries that a session keeps after it was split.
  case entryCount
  /// When the levels of a session were derived again, in microseconds since 1970. It is in no chunk of edits, see `LevelDerivation`.
  case levels
  case unknown(UInt8)

  package init(number: UInt8) {
    self =
      switch number {
      case 1: .name
      case 2: .note
      case 3: .person
      case 4: .owner
      case 5: .marker
      case 6: .entryCount
      case 7: .levels
      default: .unknown(number)
      }
  }

  /// The number in the encoded form.
  package var number: UInt8 {
    switch self {
    case .name: 1
    case .note: 2
    case .person: 3
    case .owner: 4
    case .marker: 5
    case .entryCount: 6
    case .levels: 7
    case .unknown(let number): number
    }
  }
}
