/// The permitted dates of a recording: those that every date format of exports can represent. Other dates are rejected, so that
/// a mistyped year is reported where it is entered.
package enum RecordingDates {
  /// From 1970-01-01 to the end of 2199, in microseconds since 1970. Some public data sets move dates into the 22nd century.
  package static let range = WallTime(microseconds: 0)...WallTime(microseconds: 7_258_118_400_000_000 - 1)

  /// The range in words.
  package static let words = "1970-01-01 to 2199-12-31"
}
