import TachogramCore

/// A time-stamped annotation list of EDF+ (Kemp 2003, 2.2.2): an onset, a duration, and texts.
struct EDFAnnotation {
  /// The time since the start in the header, in microseconds, at least 0.
  let onset: Int64
  /// The length in microseconds, or `nil` for an instant.
  var duration: Int64?
  let texts: [String]

  /// Returns the annotation that gives the time of a data record.
  static func record(at onset: Int64) -> EDFAnnotation { EDFAnnotation(onset: onset, texts: [""]) }

  /// The annotation in bytes: `+onset`, 21 and the duration, 20, each text with another 20, and 0.
  var bytes: [UInt8] {
    var bytes = Array("+\(Self.seconds(onset))".utf8)
    if let duration { bytes += [21] + Array(Self.seconds(duration).utf8) }
    bytes.append(20)
    for text in texts { bytes += Array(text.utf8) + [20] }
    return bytes + [0]
  }

  /// Returns microseconds as seconds with as many decimals as needed.
  static func seconds(_ microseconds: Int64) -> String {
    let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    guard rest != 0 else { return "\(whole)" }
    var decimals = CivilDay.padded(rest, 6)[...]
    while decimals.last == "0" { decimals.removeLast() }
    return "\(whole).\(decimals)"
  }
}
