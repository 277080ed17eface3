/// A span of each day, which may include midnight.
package struct QuietHours: Hashable, Sendable {
  /// In minutes from 00:00.
  private let start: Int
  private let end: Int

  /// Parses a text such as 22:00-07:00. Returns `nil` for any other text, and for a span without a length.
  package init?(text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { ClockTime(text: $0)?.minutes }
    guard parts.count == 2, let start = parts[0], let end = parts[1], start != end else { return nil }
    (self.start, self.end) = (start, end)
  }

  /// Returns the rest of the span at a clock time, in seconds from 00:00, or `nil` outside the span.
  package func remaining(_ secondOfDay: Double) -> Duration? {
    guard contains(secondOfDay) else { return nil }
    let rest = Double(end) * 60 - secondOfDay
    return .seconds(rest > 0 ? rest : rest + 86_400)
  }

  /// Whether a clock time, in seconds from 00:00, is in the span.
  package func contains(_ secondOfDay: Double) -> Bool {
    let minute = Int(secondOfDay / 60)
    return start < end ? (start..<end).contains(minute) : minute >= start || minute < end
  }
}
