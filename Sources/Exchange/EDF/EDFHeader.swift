import TachogramCore

/// The header of an EDF+ file (Kemp and Olivan 2003; edfplus.info): 256 bytes, and 256 for each signal, of printable ASCII.
struct EDFHeader {
  /// The dates that the header can hold in every time zone: its years have two digits, from 1985 on.
  static let dates = WallTime(microseconds: 473_472_000_000_000)...WallTime(microseconds: 3_629_059_199_999_999)
  static let datesInWords = "1985-01-02 to 2084-12-30"

  private static let months = [
    "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
  ]

  /// The start, of which the header holds the second in local time.
  let start: WallTime
  let clock: LocalClock
  /// The name of the person, or `nil`.
  let person: String?
  /// Whether each data record begins at the end of the one before it.
  let isContinuous: Bool
  let recordCount: Int
  /// The length of a data record in microseconds, below 10 s; 0 if there are annotations alone.
  let recordLength: Int64
  let signals: [EDFSignal]

  /// The whole second of the start: onsets count from it.
  var second: WallTime {
    let rest = start.microseconds % 1_000_000
    return start.advanced(byMicroseconds: rest < 0 ? -rest - 1_000_000 : -rest)
  }

  var bytes: [UInt8] {
    let fields = clock.fields(second)
    let (year, month, day) = (fields[0], fields[1], fields[2])
    var text = Self.field("0", 8)
    text += Self.field("X X X \(Self.subfield(person))", 80)
    text += Self.field("Startdate \(day)-\(Self.months[(Int(month) ?? 1) - 1])-\(year) X X Tachogram", 80)
    text += "\(day).\(month).\(year.suffix(2))" + fields[3...].joined(separator: ".")
    text += Self.field("\(256 * (signals.count + 1))", 8)
    text += Self.field(isContinuous ? "EDF+C" : "EDF+D", 44)
    text +=
      Self.field("\(recordCount)", 8) + Self.field(EDFAnnotation.seconds(recordLength), 8)
      + Self.field("\(signals.count)", 4)
    let columns: [(Int, (EDFSignal) -> String)] = [
      (16, \.label), (80, \.transducer), (8, \.dimension), (8, { "\($0.physical.lowerBound)" }),
      (8, { "\($0.physical.upperBound)" }), (8, { "\($0.digital.lowerBound)" }), (8, { "\($0.digital.upperBound)" }),
      (80, { _ in "" }), (8, { "\($0.samplesPerRecord)" }), (32, { _ in "" }),
    ]
    for (width, value) in columns {
      for signal in signals { text += Self.field(value(signal), width) }
    }
    return Array(text.utf8)
  }

  /// Returns a text with exactly `width` characters, cut off or filled with blanks. Characters that are not printable ASCII are
  /// replaced by `_`.
  private static func field(_ text: String, _ width: Int) -> String {
    let ascii = text.unicodeScalars.prefix(width).map { (0x20...0x7E).contains($0.value) ? Character($0) : "_" }
    return String(ascii) + String(repeating: " ", count: width - ascii.count)
  }

  /// Returns a name without blanks, which separate subfields, or `X` for an unknown one.
  private static func subfield(_ name: String?) -> String {
    guard let name, !name.isEmpty else { return "X" }
    return String(name.map { $0.isWhitespace ? "_" : $0 })
  }
}
