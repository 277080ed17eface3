import Foundation
import IntervalFiles
import TachogramCore

/// Reads what `tachogram export --format csv` wrote, exactly: beats and gaps with their microseconds and ticks.
struct SessionCSV {
  static let heading = "event,sequence,time,monotonicUs,rrMs,rr1024,marks,seconds,reason"

  /// A line that was passed over.
  struct Problem {
    /// From 1.
    let line: Int
    let text: String
  }

  private struct Row {
    let line: Int
    /// Of a beat; `nil` where it is no number.
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
  /// The first beat that does not follow the one above it, so that the rows are not those of an export.
  let disorder: Problem?

  /// `nil` when the text does not begin with the heading.
  init?(_ text: String) {
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.first.map(String.init) == Self.heading else { return nil }
    lines.removeFirst()
    var rows: [Row] = []
    var problems: [Problem] = []
    for (index, line) in lines.enumerated() where !line.isEmpty {
      switch Self.row(line, number: index + 2) {
      case .success(let row): rows.append(row)
      case .failure(let problem): problems.append(Problem(line: index + 2, text: problem.text))
      }
    }
    // Times are cut to milliseconds: the latest beginning that any of them allows is the true one, or as good as it.
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

  private static func row(_ line: Substring, number: Int) -> Result<Row, Wrong> {
    let fields = line.split(separator: ",", omittingEmptySubsequences: false)
    guard fields.count == 9 else { return .failure(Wrong(text: "\(fields.count) fields in the place of 9")) }
    guard fields[0] == "beat" || fields[0] == "gap" else {
      return .failure(Wrong(text: "\"\(fields[0].prefix(20))\" is neither beat nor gap"))
    }
    let isGap = fields[0] == "gap"
    guard let wall = Timestamp.time(String(fields[2])) else { return .failure(Wrong(text: "time is none")) }
    guard let offset = Int64(fields[3]), offset.magnitude < 1 << 52 else {
      return .failure(Wrong(text: "monotonicUs is no number of microseconds"))
    }
    let ticks = UInt16(fields[5])
    let seconds = Double(fields[7])
    let reason = BeatGap.Reason(rawValue: String(fields[8]))
    if isGap {
      guard let seconds, seconds >= 0, seconds < 1e9, reason != nil else {
        return .failure(Wrong(text: "a gap needs seconds and a reason"))
      }
    } else if ticks == nil {
      return .failure(Wrong(text: "rr1024 is no number of ticks, 0 to 65535"))
    }
    return .success(
      Row(
        line: number, sequence: Int64(fields[1]), isGap: isGap, wall: wall, offset: offset, ticks: ticks ?? 0,
        hasContact: !fields[6].contains("noContact"),
        gapMicroseconds: isGap ? Int64(((seconds ?? 0) * 1e6).rounded()) : 0, reason: reason ?? .lost))
  }
}
