/// The meaning of a column heading.
struct RRTextHeading: Hashable {
  /// The certainty that a column contains the intervals as measured.
  enum Rank: Int, Comparable {
    case raw, general, corrected

    static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }
  }

  private static let units: [String: RRTextDialect.Unit] = [
    "ms": .milliseconds, "msec": .milliseconds, "msecs": .milliseconds, "millis": .milliseconds,
    "millisecond": .milliseconds, "milliseconds": .milliseconds, "millisekunden": .milliseconds,
    "s": .seconds, "sec": .seconds, "secs": .seconds, "second": .seconds, "seconds": .seconds, "sekunden": .seconds,
  ]
  private static let ranks: [String: Rank] = {
    var ranks: [String: Rank] = [:]
    for stem in ["rr", "nn", "pp", "ibi", "rri", "nni", "ppi", "interbeat", "beat", "heartbeat", "beattobeat", "rtor"] {
      for end in ["interval", "intervals", "intervall", "intervalle", "values", "value"] { ranks[stem + end] = .raw }
    }
    for name in ["rr", "rri", "rrs", "ibi", "ibis", "nn", "nni", "pp", "ppi", "rrraw", "rawrr"] { ranks[name] = .raw }
    for name in ["interval", "intervals", "intervall", "intervalle"] { ranks[name] = .general }
    for name in ["artifactcorrectedrr", "correctedrr", "rrcorrected", "filteredrr", "rrfiltered", "cleanrr", "rrclean"]
    {
      ranks[name] = .corrected
    }
    return ranks
  }()
  private static let others: Set<String> = [
    "hr", "heartrate", "bpm", "pulse", "rmssd", "lnrmssd", "sdnn", "pnn50", "avnn", "hrv", "lf", "hf", "ecg", "ppg",
    "steps", "power", "watts", "speed", "cadence", "spo2", "temperature", "temp", "sleep", "hrvms",
  ]
  private static let times: Set<String> = [
    "time", "timestamp", "timestamps", "date", "datetime", "zeit", "zeitstempel",
  ]

  /// The heading as written.
  let name: String
  /// The words in lower case, without punctuation and units.
  let key: String
  let unit: RRTextDialect.Unit?
  /// The rank, or `nil` if the column does not contain intervals.
  let rank: Rank?
  let isTime: Bool

  init(_ text: ArraySlice<UInt8>) {
    name = String(decoding: text.prefix(80), as: UTF8.self)
    var words = Self.words(name)
    var unit: RRTextDialect.Unit?
    if words.count > 1, let last = words.last, let known = Self.units[last] {
      unit = known
      words.removeLast()
    } else if words.count == 1, words[0].hasSuffix("ms"), Self.ranks[String(words[0].dropLast(2))] != nil {
      unit = .milliseconds
      words[0].removeLast(2)
    }
    key = words.joined()
    self.unit = unit
    rank = Self.ranks[key]
    isTime = rank == nil && words.contains(where: Self.times.contains)
  }

  /// Whether the heading is known to name something other than intervals.
  var isOther: Bool { Self.others.contains(key) || isResult }

  /// Whether the heading is only a unit.
  var isUnit: Bool { Self.units[key] != nil }

  /// Whether a word is a unit.
  static func isUnit(_ word: Substring) -> Bool { units[word.lowercased()] != nil }

  /// Whether the heading is a word, not a number or a date.
  var isWord: Bool { key.unicodeScalars.contains { $0.properties.isAlphabetic } }

  /// Whether the heading names a result computed from intervals.
  var isResult: Bool { ["rmssd", "lnrmssd", "sdnn", "pnn50"].contains(key) }

  /// Returns the unit in a row of units below the headings: `(s)`.
  static func unit(alone text: ArraySlice<UInt8>) -> RRTextDialect.Unit? {
    let words = words(String(decoding: text.prefix(20), as: UTF8.self))
    return words.count == 1 ? units[words[0]] : nil
  }

  /// Whether a line of any wording announces another series of intervals.
  static func announcesSeries(_ line: ArraySlice<UInt8>) -> Bool {
    let words = words(String(decoding: line.prefix(80), as: UTF8.self)).joined()
    return words.hasPrefix("rrinterval")
  }

  /// Returns the words of a heading in lower case; `rrMs` is two words.
  private static func words(_ text: String) -> [String] {
    var words: [String] = [""]
    var wasLower = false
    for scalar in text.unicodeScalars {
      let isLetter = scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      if !isLetter || scalar.properties.isUppercase && wasLower { words.append("") }
      if isLetter { words[words.count - 1] += scalar.properties.lowercaseMapping }
      wasLower = scalar.properties.isLowercase
    }
    return words.filter { !$0.isEmpty }
  }
}
