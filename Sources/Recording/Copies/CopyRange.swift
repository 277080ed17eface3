import Repository
import TachogramCore

/// The range in which copies of a recording are searched: at its own time, and where a start in another time zone would place
/// them.
struct CopyRange {
  /// The times of the first and the last beat, in microseconds since 1970.
  let span: ClosedRange<Int64>

  /// The greatest error of the start of a copy in microseconds: the greatest offset of a time zone from UTC and an hour. It is
  /// less than a day, so that the same hours of two days are never compared.
  static let furthest: Int64 = 15 * 3_600_000_000

  init(_ span: ClosedRange<Int64>) {
    self.span = span
  }

  init(_ record: SessionRecord) {
    let start = record.description.start.microseconds
    span = start...max(start, record.end.microseconds)
  }

  /// Whether a recording with the range `other` can be a copy: it has the same time, or about the same length at a different
  /// time.
  func mayHoldCopy(_ other: CopyRange) -> Bool {
    isNear(other) || isAlike(other)
  }

  /// Whether the two overlap in time, within the tolerance of clocks.
  private func isNear(_ other: CopyRange) -> Bool {
    let tolerance = RecordingPrecision.greatestStartTolerance
    return other.span.upperBound >= span.lowerBound - tolerance && other.span.lowerBound <= span.upperBound + tolerance
  }

  private func isAlike(_ other: CopyRange) -> Bool {
    let (length, otherLength) = (self.length, other.length)
    return abs(span.lowerBound - other.span.lowerBound) <= Self.furthest
      && abs(length - otherLength) <= max(length, otherLength) / 4
  }

  private var length: Int64 { span.upperBound - span.lowerBound }
}
