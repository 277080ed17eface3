import TachogramCore

/// The delays between attempts to start a stream, and their number.
///
///     attempt   1   2   3   4   5    6    7    8     9     10    11    12    then
///     delay/s   1   2   4   8   16   32   64   128   256   512   600   600   given up for the rest of the link
///
/// The count restarts when a stream has run for a minute.
struct SensorStreamRetries: Hashable, Sendable {
  static let most = 12
  private static let longest: Duration = .seconds(600)
  private static let recovered: Duration = .seconds(60)

  private var count = 0

  /// Returns the delay before the next attempt after a failure, or `nil` if there is none. `ran` is how long the stream ran.
  mutating func next(after ran: Duration = .zero) -> Duration? {
    if ran >= Self.recovered { count = 0 }
    guard count < Self.most else { return nil }
    defer { count += 1 }
    return min(.seconds(1 << count), Self.longest)
  }
}
