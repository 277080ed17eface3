import Capture

/// The reason for refusing a readable file as RR intervals. Nothing is guessed: if two readings are possible, or none is
/// plausible, a person has to decide.
package enum RRSeriesRefusal: Error, Hashable, Sendable {
  /// It is a capture of radio traffic.
  case capture(CaptureFormat)
  /// It is a file in another format, such as an archive.
  case otherKind(String)
  /// A text of `lines` lines contains no interval.
  case noIntervals(lines: Int)
  /// None of the first lines resembles an interval.
  case unrecognised(lines: Int)
  /// A table of results, one line for each measurement, without the intervals. `app` is the app that wrote it, if known.
  case results(line: Int, app: String?)
  /// The headings name columns that are not intervals.
  case otherColumns(line: Int, names: [String])
  /// The headings name a column of intervals, but the rows below do not have such columns.
  case brokenTable(line: Int, name: String)
  /// There are more than two columns, and no heading that identifies the column of intervals.
  case unnamedColumns(line: Int, count: Int)
  /// The commas can be column separators or decimal commas.
  case ambiguousComma(line: Int)
  /// The heading states a unit in which the values cannot be intervals. `median` is in this unit.
  case contradictoryUnit(line: Int, name: String, unit: RRTextDialect.Unit, median: Double)
  /// The values are intervals in neither ms nor s. `median` is in the notation of the file.
  case implausible(line: Int, median: Double)
  /// The times beside values without a heading advance at `rate` of the speed of the values, far below 1.
  case contradictoryTimes(line: Int, rate: Double)
  /// A line exceeds the limit of the reader. `byte` is its start, if known.
  case endlessLine(line: Int, byte: UInt64?)
  /// A line is longer than `limit` bytes, and no other line is an interval.
  case longLine(line: Int, limit: Int)
  /// There are more than `limit` intervals.
  case tooManyIntervals(limit: Int)
  /// The values are intervals in one unit up to `line`, and in another one from there.
  case mixedUnits(line: Int, before: RRValueUnit, behind: RRValueUnit)
  /// None of the `messages` messages of a FIT file is an `hrv` message with intervals.
  case noHRVMessages(messages: Int)
}

extension RRSeriesRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .capture(let format):
      "this is a \(format.rawValue) capture; read it with `tachogram replay`"
    case .otherKind(let kind):
      "this is \(kind); unpack or export the RR intervals as text first"
    case .noIntervals(let lines):
      "no heart-rate data: none of its \(lines) lines is an RR interval; one value a line is read, or time and RR, "
        + "in ms or s"
    case .unrecognised(let lines):
      "none of its first \(lines) lines is an RR interval; one value a line is read, time and RR, "
        + "or a table with a column named \"RR\""
    case .results(let line, let app):
      "line \(line) heads a table of \(app.map { "\($0) " } ?? "")results, which holds no RR intervals; "
        + "export the RR intervals themselves"
    case .otherColumns(let line, let names):
      "line \(line) names the columns \(Self.list(names)), none of them RR intervals; "
        + "name the right one \"RR\", or export RR intervals"
    case .brokenTable(let line, let name):
      "line \(line) names a column \"\(name)\", and the rows below do not have the columns it names; "
        + "where decimals are written with a comma, separate the columns with semicolons"
    case .unnamedColumns(let line, let count):
      "line \(line) has \(count) columns, and no heading says which holds the RR intervals; "
        + "put a first line with the names of the columns, one of them \"RR\""
    case .ambiguousComma(let line):
      "the comma in line \(line) can separate two columns, or units and decimals; "
        + "put \"RR\" above where it stands before decimals, else the names of the columns, such as \"Time,RR\""
    case .contradictoryUnit(let line, let name, let unit, let median):
      "line \(line) says that \"\(name)\" is in \(unit.rawValue), and the middle value is \(median), which is no RR "
        + "interval in \(unit.rawValue); correct the heading or the values"
    case .implausible(let line, let median):
      "the middle value of the numbers from line \(line) on is \(median): no RR interval in ms (150 to 4000) nor in s "
        + "(0.15 to 4); export RR intervals"
    case .contradictoryTimes(let line, let rate):
      "the times from line \(line) on pass at \(percent(rate)) of the speed of the values beside them, so these are no RR "
        + "intervals; where they are, write \"Time,RR\" above them, with the separator of the file"
    case .endlessLine(let line, let byte):
      "line \(line)\(byte.map { ", from byte \($0) on," } ?? "") does not end within "
        + "\(LineCollector.endless >> 20) MiB; write one interval a line"
    case .longLine(let line, let limit):
      "line \(line) is longer than \(limit) bytes, and no other line is an RR interval; write one interval a line"
    case .tooManyIntervals(let limit):
      "there are more than \(limit) RR intervals in it, which is months; split it"
    case .mixedUnits(let line, let before, let behind):
      "the RR intervals before line \(line) are in \(before.rawValue), and there in \(behind.rawValue); "
        + "write all of a file in one unit"
    case .noHRVMessages(let messages):
      "none of the \(messages) messages of this FIT file is an hrv message with RR intervals; "
        + "switch on recording of HRV in the watch, and use a chest strap"
    }
  }

  /// Formats a share in whole percent.
  private func percent(_ share: Double) -> String {
    share < 0.01 ? "less than 1 %" : "\(Int((share * 100).rounded())) %"
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(8).map { "\"\($0)\"" }.joined(separator: ", ") + (names.count > 8 ? " …" : "")
  }
}
