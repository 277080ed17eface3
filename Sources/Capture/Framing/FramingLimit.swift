/// Bounds that every framing shares.
enum FramingLimit {
  /// The largest packet that is believed, in bytes: Wireshark's own limit.
  static let packet = 262_144
  /// The latest time that is believed, in microseconds since 1970: the end of the year 9999.
  static let latest: Int64 = 253_402_300_799_999_999
  /// The beginning of 1980, in microseconds since 1970: a clock that was right once does not show an earlier time.
  static let earliest: Int64 = 315_532_800_000_000

  /// The time that a timestamp stands for; `nil` for zero, which writers put where they know none.
  @inline(__always)
  static func time(_ stamp: Int64) -> Int64? {
    stamp == 0 ? nil : stamp
  }
}
