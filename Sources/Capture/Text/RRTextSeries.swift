/// RR intervals read from text.
package struct RRTextSeries: Hashable, Sendable {
  /// What the file's numbers are.
  package enum Unit: String, Hashable, Sendable {
    case milliseconds
    case seconds
  }

  /// One interval.
  package struct Interval: Hashable, Sendable {
    /// In ms.
    package var milliseconds: Double
    /// Time in ms that is missing before it, 0 when unknown; `nil` when it follows its predecessor.
    package var gap: Double?
  }

  /// A line that is no interval.
  package struct Problem: Hashable, Sendable {
    /// From 1.
    package var line: Int
    package var problem: String
  }

  package internal(set) var intervals: [Interval] = []
  package internal(set) var unit = Unit.milliseconds
  /// Whether the file has a column of times.
  package internal(set) var hasTimes = false
  /// The headings in the first line, when there are any.
  package internal(set) var header: String?
  /// Lines that are neither blank nor comments nor headings.
  package internal(set) var lines = 0
  package internal(set) var malformed = 0
  /// The first of the malformed ones.
  package internal(set) var problems: [Problem] = []

  mutating func add(line: Int, problem: String, limit: Int) {
    malformed += 1
    if problems.count < limit { problems.append(Problem(line: line, problem: problem)) }
  }
}
