/// Bounds that every framing shares.
enum FramingLimit {
  /// The largest packet that is believed, in bytes: Wireshark's own limit.
  static let packet = 262_144
  /// The latest time that is believed, in microseconds since 1970: the end of the year 9999.
  static let latest: Int64 = 253_402_300_799_999_999
}
