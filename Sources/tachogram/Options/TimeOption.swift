import ArgumentParser
import TachogramCore

/// Parses options that are times.
enum TimeOption {
  /// Returns a time. Throws a validation error if the text is not a time.
  static func time(_ text: String) throws -> WallTime {
    guard let time = Timestamp.time(text) else {
      throw ValidationError("\"\(text)\" is not a valid time; use a format such as 2026-03-29T01:02:03Z.")
    }
    return time
  }

  /// Returns the time at which a recording began. Throws a validation error for other text.
  static func recordingStart(_ text: String) throws -> WallTime {
    let time = try time(text)
    guard RecordingDates.range.contains(time) else {
      throw ValidationError("\"\(text)\" is not a valid date of a recording, which must be in \(RecordingDates.words).")
    }
    return time
  }
}
