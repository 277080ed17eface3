import FoundationEssentials

/// Conversions of dates to the form in the database: whole microseconds since 1970-01-01T00:00:00Z.
///
/// A date is rounded to the nearest microsecond when it is stored, and read as the nearest `Date`: equal to within 1 µs, and
/// unchanged by further round trips.
enum StoredDate {
  /// The time from 1970-01-01 to 2001-01-01, the origin of `Date`, in microseconds.
  private static let originMicroseconds: Int64 = 978_307_200_000_000

  /// Returns the microseconds of a date. Throws `unstorable`, naming `field`, for a date that is not finite or beyond 64 bits.
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
