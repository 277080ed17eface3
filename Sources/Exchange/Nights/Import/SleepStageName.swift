import TachogramCore

/// The names of stages in files of other programs.
enum SleepStageName {
  /// The names for messages.
  static let list = "W, N1, N2, N3, R, NREM, ?, or wake, light, deep, rem, nrem, asleep, unknown"

  private static let names: [String: SleepStage] = [
    "w": .wake, "wake": .wake, "awake": .wake, "n1": .light, "n2": .light, "s1": .light, "s2": .light, "light": .light,
    "core": .light, "n3": .deep, "n4": .deep, "s3": .deep, "s4": .deep, "deep": .deep, "sws": .deep, "r": .rem,
    "rem": .rem, "n": .nrem, "nr": .nrem, "nrem": .nrem, "sleep": .asleep, "asleep": .asleep, "?": .unknown,
    "unknown": .unknown, "unscored": .unknown, "uns": .unknown, "art": .unknown, "movement": .unknown, "": .unknown,
  ]

  /// Returns the stage of a name in any case, with or without `Sleep stage` before it. Throws for other text, and for numbers
  /// alone: 4 is stage 4 in one coding and REM sleep in another.
  static func stage(_ text: String) throws(NightReadError.Problem) -> SleepStage {
    var name = text.lowercased()[...]
    let isEDF = name.hasPrefix("sleep stage ")
    if isEDF { name = name.dropFirst("sleep stage ".count) }
    if let stage = names[String(name)] { return stage }
    // The texts of EDF+ have the numbers of Rechtschaffen and Kales.
    if isEDF, let stage = names["s\(name)"] { return stage }
    throw Double(name) == nil ? .stage(text) : .stageNumber(text)
  }
}
