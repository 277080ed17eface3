import Repository
import TachogramCore

/// Where copies of a recording are looked for: at its time, and where a start that was typed in another time zone puts them.
struct CopyRange {
  /// The first beat and the last, in microseconds since 1970.
  let span: ClosedRange<Int64>

  /// By how much the start of a copy may be off, in microseconds: what time zones are from UTC, and an hour. Less than a day,
  /// so that the same hour of two days is never compared.
  static let furthest: Int64 = 15 * 3_600_000_000

  init(_ span: ClosedRange<Int64>) {
    self.span = span
  }

  init(_ record: SessionRecord) {
    let start = record.description.start.microseconds
    span = start...max(start, record.end.microseconds)
  }

  /// Whether something that went on for `other` can be a copy: of the same time, or at another one about as long.
  func mayHoldCopy(_ other: CopyRange) -> Bool {
    isNear(other) || isAlike(other)
  }

  /// Whether the two share time, to what clocks may be apart.
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
