import Foundation
import IntervalFiles
import TachogramCore

/// Reads the output of `tachogram export --format csv` without loss: beats and gaps with their microseconds and ticks. A
/// spreadsheet may have saved it with other separators and quotes; then each value is checked for changes.
struct SessionCSV {
  static let heading = "event,sequence,time,monotonicUs,rrMs,rr1024,marks,seconds,reason"
  static let columns = heading.split(separator: ",").map(String.init)

  /// A line that was skipped.
  struct Problem {
    /// The line number, from 1.
    let line: Int
    let text: String
  }

  private struct Row {
    let line: Int
    /// The sequence number of a beat, or `nil` if it is not a number.
    let sequence: Int64?
    let isGap: Bool
    let wall: WallTime
    let offset: Int64
    let ticks: UInt16
    let hasContact: Bool
    let gapMicroseconds: Int64
    let reason: BeatGap.Reason
  }

  let ledger: IntervalLedger
  let problems: [Problem]
  /// The first beat that does not follow the previous one, which shows that the rows are not those of an export.
  let disorder: Problem?
  /// The first line that shows that a spreadsheet changed values.
  let change: Problem?

  /// Returns `nil` if the text does not begin with the heading, in any spelling.
  init?(_ text: String) {
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard let heading = lines.first, let dialect = SessionCSVDialect(heading: heading) else { return nil }
    lines.removeFirst()
    var rows: [Row] = []
    var problems: [Problem] = []
    for (index, line) in lines.enumerated() where !line.isEmpty {
      let fields = dialect.fields(line)
      if dialect.isRespelled, fields.allSatisfy(\.isEmpty) { continue }
      switch Self.row(fields, dialect, number: index + 2) {
      case .success(let row): rows.append(row)
      case .failure(let problem): problems.append(Problem(line: index + 2, text: problem.text))
      }
    }
    // Times are truncated to milliseconds: the latest start that follows from any of them is the best estimate.
    let start = rows.map { $0.wall.microseconds - $0.offset }.max() ?? 0
    var ledger = IntervalLedger(start: WallTime(microseconds: start))
    var last = Int64.min
    for row in rows {
      let end = max(last, row.offset + (row.isGap ? row.gapMicroseconds : 0))
      last = end
      let time = MonotonicTime(microseconds: end)
      if row.isGap {
        ledger.add(gapTo: time, reason: row.reason)
      } else {
        ledger.add(RRInterval(ticks: row.ticks), endingAt: time, hasContact: row.hasContact)
      }
    }
    self.ledger = ledger
    self.problems = problems
    disorder = Self.disorder(in: rows)
    change = dialect.isRespelled ? problems.first ?? Self.change(in: rows, start: start) : nil
  }

  /// Returns the first row whose time does not match its microseconds, or the first gap that ends after the beat that follows
  /// it.
  private static func change(in rows: [Row], start: Int64) -> Problem? {
    for (row, next) in zip(rows, rows.dropFirst().map(Optional.some) + [nil]) {
      // Times are truncated to milliseconds.
      if start - (row.wall.microseconds - row.offset) > 1000 {
        return Problem(line: row.line, text: "time and monotonicUs do not agree with those of other rows")
      }
      if let next, row.isGap, !next.isGap, row.offset + row.gapMicroseconds > next.offset {
        return Problem(line: row.line, text: "the gap ends after the beat that follows it")
      }
    }
    return nil
  }

  private static func disorder(in rows: [Row]) -> Problem? {
    var last: Row?
    for row in rows where !row.isGap {
      if let last {
        if let sequence = row.sequence, let before = last.sequence, sequence <= before {
          let what =
            sequence == before ? "sequence \(sequence) is there twice" : "sequence \(sequence) follows \(before)"
          return Problem(line: row.line, text: what)
        }
        if row.offset < last.offset {
          return Problem(line: row.line, text: "monotonicUs goes back from \(last.offset) to \(row.offset)")
        }
      }
      last = row
    }
    return nil
  }

  private struct Wrong: Error {
    let text: String
  }

  private static func row(_ written: [String], _ dialect: SessionCSVDialect, number: Int) -> Result<Row, Wrong> {
    var fields = written
    if dialect.isRespelled {
      while fields.count > columns.count, fields.last == "" { fields.removeLast() }
      // Some spreadsheets omit separators after the last value of a row.
      if fields.count >= 6 { fields += Array(repeating: "", count: max(0, columns.count - fields.count)) }
    }
    guard fields.count == columns.count else {
      return .failure(Wrong(text: "\(fields.count) fields in the place of \(columns.count)"))
    }
    guard fields[0] == "beat" || fields[0] == "gap" else {
      return .failure(Wrong(text: "\"\(fields[0].prefix(20))\" is neither beat nor gap"))
    }
    let isGap = fields[0] == "gap"
    guard let wall = Timestamp.time(fields[2]) else { return .failure(Wrong(text: "time is none")) }
    guard let offset = Int64(fields[3]), offset.magnitude < 1 << 52 else {
      return .failure(Wrong(text: "monotonicUs is no number of microseconds"))
    }
    let ticks = UInt16(fields[5])
    let seconds = dialect.number(fields[7])
    let reason = BeatGap.Reason(rawValue: fields[8])
    if isGap {
      guard let seconds, seconds >= 0, seconds < 1e9, reason != nil else {
        return .failure(Wrong(text: "a gap needs seconds and a reason"))
      }
    } else if ticks == nil {
      return .failure(Wrong(text: "rr1024 is no number of ticks, 0 to 65535"))
    } else if dialect.isRespelled, let ticks, !agree(dialect.number(fields[4]), ticks) {
      return .failure(Wrong(text: "rrMs and rr1024 do not agree"))
    }
    return .success(
      Row(
        line: number, sequence: Int64(fields[1]), isGap: isGap, wall: wall, offset: offset, ticks: ticks ?? 0,
        hasContact: !fields[6].contains("noContact"),
        gapMicroseconds: isGap ? Int64(((seconds ?? 0) * 1e6).rounded()) : 0, reason: reason ?? .lost))
  }

  /// Whether an interval in ms matches its ticks, possibly rounded, or read with a thousands separator: 515.625 as 515625.
  private static func agree(_ milliseconds: Double?, _ ticks: UInt16) -> Bool {
    guard let milliseconds else { return false }
    let exact = Double(ticks) / 1.024
    return abs(milliseconds - exact) <= 0.5 || milliseconds == exact * 1000
  }
}
