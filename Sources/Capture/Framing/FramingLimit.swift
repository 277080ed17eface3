/// The limits common to all framings.
enum FramingLimit {
  /// The largest accepted packet, in bytes. This is Wireshark's limit.
  static let packet = 262_144
  /// The latest accepted time, in microseconds since 1970: the end of the year 9999.
  static let latest: Int64 = 253_402_300_799_999_999
  /// The beginning of 1980, in microseconds since 1970. A clock that was once set correctly does not show an earlier time.
  static let earliest: Int64 = 315_532_800_000_000

  /// Returns the time of a timestamp, or `nil` for zero, which writers use for an unknown time.
  @inline(__always)
  static func time(_ stamp: Int64) -> Int64? {
    stamp == 0 ? nil : stamp
  }
}
