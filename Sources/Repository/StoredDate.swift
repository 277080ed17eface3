import FoundationEssentials

/// Dates as the database keeps them: whole microseconds since 1970-01-01T00:00:00Z.
///
/// A date is rounded to the nearest microsecond on its way in, and comes back as the `Date` nearest to that: equal to
/// within 1 µs, and unchanged by every further round trip.
enum StoredDate {
  /// From 1970-01-01 to 2001-01-01, the origin of `Date`.
  private static let originMicroseconds: Int64 = 978_307_200_000_000

  /// The microseconds of a date; throws `unstorable`, naming `field`, for one that is not finite or beyond 64 bits.
  static func microseconds(_ date: Date, field: String) throws(RepositoryError) -> Int64 {
    let rounded = (date.timeIntervalSinceReferenceDate * 1_000_000).rounded()
    guard let sinceOrigin = Int64(exactly: rounded) else { throw .unstorable(field: field) }
    let (microseconds, overflow) = sinceOrigin.addingReportingOverflow(originMicroseconds)
    guard !overflow else { throw .unstorable(field: field) }
    return microseconds
  }

  static func date(microseconds: Int64) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(microseconds &- originMicroseconds) / 1_000_000)
  }
}
