import TachogramCore

/// RR intervals read from a file, and the problems that were found.
package struct RRSeries: Hashable, Sendable {
  /// The number of problems that are described. Further problems are only counted.
  package static let describedProblems = 20
  /// The greatest number of intervals that are read from a file, which limits the memory in use.
  package static let mostIntervals = 5_000_000

  /// One interval.
  package struct Interval: Hashable, Sendable {
    /// The length in ms, 0 < … ≤ 65 535.
    package var milliseconds: Double
    /// The time in ms that is missing before the interval, 0 if unknown, or `nil` if it follows its predecessor.
    package var gap: Double?
    /// The reason for the gap, if the file states it, as the text format of this program does.
    package var reason: BeatGap.Reason = .lost
    /// The number of invalid values before the interval: 0, below 0, above 65 535 ms, or not a number.
    package var impossibleBefore = 0
    /// Whether the time beside the interval is impossible or unreadable.
    package var hasUnusableTime = false
  }

  /// A position in a file.
  package enum Place: Hashable, Sendable {
    /// A line number, from 1.
    case line(Int)
    /// A byte offset, from 0.
    case byte(UInt64)
  }

  /// A part of the file that was skipped.
  package struct Problem: Hashable, Sendable {
    package var place: Place
    /// The number of lines or bytes that were skipped.
    package var length: UInt64
    package var problem: String
  }

  package internal(set) var format: RRSeriesFormat
  /// The dialect of the text, or `nil` for a binary file.
  package internal(set) var dialect: RRTextDialect?
  package internal(set) var intervals: [Interval] = []
  /// The time at which the first interval began, if the file contains it, as FIT and this program's own text do.
  package internal(set) var start: WallTime?
  /// The number of invalid values after the last interval.
  package internal(set) var impossibleAtEnd = 0
  /// The first line with an impossible time, from 1.
  var firstUnusableTime: Int?
  /// Lines that are neither blank nor comments nor headings, or messages of a binary file.
  package internal(set) var records = 0
  /// The number of problems.
  package internal(set) var damaged = 0
  /// The number of bytes skipped in a binary file.
  package internal(set) var damagedBytes: UInt64 = 0
  /// Whether a binary file ends within its data.
  package internal(set) var isTruncated = false
  /// The first of the problems.
  package internal(set) var problems: [Problem] = []

  init(format: RRSeriesFormat) {
    self.format = format
  }

  mutating func add(line: Int, problem: String) {
    add(Problem(place: .line(line), length: 1, problem: problem))
  }

  mutating func add(byte: UInt64, length: UInt64, problem: String) {
    damagedBytes += length
    add(Problem(place: .byte(byte), length: length, problem: problem))
  }

  private mutating func add(_ problem: Problem) {
    damaged += 1
    if problems.count < Self.describedProblems { problems.append(problem) }
  }

  /// A message about unusable times, or `nil` if there are none.
  package var timesNote: String? {
    if let refusal = dialect?.timesRefusal { return "the times are not used: \(refusal)" }
    guard let count = dialect?.unusableTimes, let line = firstUnusableTime else { return nil }
    return "\(count) of \(intervals.count) RR intervals have a time that cannot be used, the first in line \(line); "
      + "they count as artifacts"
  }

  /// A message about other columns that could be meant, or `nil` if there are none.
  package var columnsNote: String? {
    guard let dialect, dialect.alikeColumns > 1, let name = dialect.columnName else { return nil }
    return "\(dialect.alikeColumns) columns are named \"\(name)\"; only the first of them is read, "
      + "column \(dialect.column)"
  }

  /// A message about the problems, or `nil` if there are none.
  package var damageNote: String? {
    guard let first = problems.first else { return nil }
    return switch first.place {
    case .line(let line):
      "\(damaged) of \(records) lines are no RR interval and were passed over, the first in line \(line): "
        + first.problem
    case .byte(let byte):
      "\(damaged) damaged place(s), \(damagedBytes) bytes passed over, the first at byte \(byte): \(first.problem)"
    }
  }
}
