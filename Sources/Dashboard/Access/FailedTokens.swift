import TachogramCore

/// Counts wrong tokens by where they come from, and decides who has to wait: after ten within a minute, a minute.
struct FailedTokens: Sendable {
  private struct Record {
    var count: Int
    /// When the count began, or when the waiting did.
    var since: MonotonicTime
  }

  private static let most = 10
  private static let span: Duration = .seconds(60)
  /// Where more than these ask, the oldest are forgotten: memory is not for strangers to fill.
  private static let mostPlaces = 1000

  private var records: [String: Record] = [:]

  /// Places that are remembered.
  var count: Int { records.count }

  /// Whether whoever asks from `place` has to wait.
  func isBarred(_ place: String, at now: MonotonicTime) -> Bool {
    guard let record = records[place], record.count >= Self.most else { return false }
    return now.duration(since: record.since) < Self.span
  }

  /// Takes a wrong token.
  mutating func add(_ place: String, at now: MonotonicTime) {
    var record = records[place] ?? Record(count: 0, since: now)
    if now.duration(since: record.since) >= Self.span { record = Record(count: 0, since: now) }
    record.count += 1
    if record.count == Self.most { record.since = now }
    records[place] = record
    if records.count > Self.mostPlaces, let oldest = records.min(by: { $0.value.since < $1.value.since }) {
      records[oldest.key] = nil
    }
  }

  /// Takes the right one.
  mutating func forget(_ place: String) {
    records[place] = nil
  }
}
