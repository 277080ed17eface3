import TachogramCore

/// A night as a file of another device or program describes it.
struct ImportedNight: Hashable {
  /// The form of the file.
  enum Form: String {
    case csv = "sleep-csv"
    case openMHealth = "open-mhealth"
    case appleHealth = "apple-health"
  }

  let form: Form
  /// The device or program that the file names.
  var source: String?
  let start: WallTime
  /// The stages of epochs of 30 s, at least one.
  let stages: [SleepStage]
  /// Values of the file that have no place in a night.
  var note: String?
  /// A message about columns that were not read although they could be meant.
  var columnsNote: String?
  /// The number of epochs whose periods contradict each other.
  var contradictions = 0

  /// Returns an identifier that the same night of a person from the same source always has.
  func identifier(of person: String?) -> String {
    var hash = ContentHash()
    hash.add((person ?? "").utf8)
    hash.add(UInt8(0))
    hash.add(form.rawValue.utf8)
    hash.add((source ?? "").utf8)
    hash.add(UInt8(0))
    hash.add(start.microseconds)
    return hash.uuidText
  }
}
