/// A file with data of a night.
package enum NightFile: String, Hashable, Sendable, CaseIterable {
  /// Intervals between beats: a table with the columns `beat_time_s` and `rr_ms`, and perhaps `type` and `prev_type`.
  case intervals = "RR"
  /// Heart rates: lines of seconds and beats per minute, in any order, without a heading.
  case heartRate = "heart-rate"
  /// Movement of epochs: a table with the columns `epoch_start_s` and `count_feature`.
  case movement

  /// The largest file in bytes; reading more is needless.
  package static let maximumBytes = 64 << 20
  /// The largest number of rows: a week of beats at 198 per minute.
  static let maximumRows = 2_000_000
}
