import TachogramCore

/// Counts the wrong tokens of each place. After ten wrong tokens within a minute, a place is barred for a minute.
struct FailedTokens: Sendable {
  private struct Record {
    var count: Int
    /// The time at which the count or the wait began.
    var since: MonotonicTime
  }

  private static let most = 10
  private static let span: Duration = .seconds(60)
  /// The maximum number of places. Beyond it the oldest are removed, so that the memory in use is bounded.
  private static let mostPlaces = 1000

  private var records: [String: Record] = [:]

  /// The number of recorded places.
  var count: Int { records.count }

  /// Whether requests from `place` are barred.
  func isBarred(_ place: String, at now: MonotonicTime) -> Bool {
    guard let record = records[place], record.count >= Self.most else { return false }
    return now.duration(since: record.since) < Self.span
  }

  /// Records a wrong token.
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

  /// Removes the record of a place, after a valid token.
  mutating func forget(_ place: String) {
    records[place] = nil
  }
}
