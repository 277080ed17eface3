import ArgumentParser
import TachogramCore

/// Reads an option that is a time.
enum TimeOption {
  /// Throws what the person is told when the text is no time.
  static func time(_ text: String) throws -> WallTime {
    guard let time = Timestamp.time(text) else {
      throw ValidationError("\"\(text)\" is not a valid time; use a format such as 2026-03-29T01:02:03Z.")
    }
    return time
  }

  /// The same of a time at which a recording began.
  static func recordingStart(_ text: String) throws -> WallTime {
    let time = try time(text)
    guard RecordingDates.range.contains(time) else {
      throw ValidationError("\"\(text)\" is not a valid date of a recording, which must be in \(RecordingDates.words).")
    }
    return time
  }
}
