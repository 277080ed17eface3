import Capture
import IntervalFiles
import Presentation
import Sessions
import TachogramCore

/// The section `capture` of a report: the result of reading the input.
package struct CaptureSection: Encodable {
  package struct Damage: Encodable {
    /// The offset in bytes from the start of the file, or the line of a text file.
    package let offset: UInt64
    package let length: UInt64
    package let problem: String
  }

  package struct Handle: Encodable {
    let strap: String
    let handle: String
    let source: String
  }

  /// A handle with notifications that are not heart rate, or not known to be.
  package struct OtherHandle: Encodable {
    let strap: String
    let handle: String
    let notifications: Int
  }

  /// The notation of intervals in a text file.
  package struct Dialect: Encodable {
    let unit: String
    let separator: String
    let decimal: String
    let encoding: String
    /// The column number, from 1.
    let column: Int
    let columnName: String?
    /// The number of columns with such a heading. The first is read.
    let alikeColumns: Int
    let times: Bool
    /// The reason why a column of times is not used.
    let timesUnused: String?
    /// The number of intervals beside an impossible time.
    let unusableTimes: Int

    /// A description as readable text: `ms in column 2 "RR", columns by comma, decimal point, with times`.
    var text: String {
      var parts = ["\(unit)" + (separator == "none" ? "" : " in column \(column)")]
      if let columnName { parts[0] += " \"\(TerminalText.safe(columnName))\"" }
      if alikeColumns > 1 { parts[0] += " (the first of \(alikeColumns) such columns)" }
      if separator != "none" { parts.append(separator == "blanks" ? "columns by blanks" : "columns by \(separator)") }
      parts.append("decimal \(decimal)")
      if encoding != "utf-8" { parts.append(encoding.uppercased()) }
      parts.append(times ? "with times" : timesUnused == nil ? "without times" : "times not used")
      return parts.joined(separator: ", ")
    }
  }

  package let format: String
  package var dialect: Dialect?
  package let records: Int
  package let damaged: Int
  package var damagedBytes: UInt64 = 0
  package let truncated: Bool
  package var encryptedPackets = 0
  package var corruptPackets = 0
  package var malformedPackets = 0
  package var clockSteps = 0
  /// The number of packets that the capturing system reported as dropped.
  package var dropped: UInt64 = 0
  /// The number of times that the counter of dropped packets decreased.
  package var dropCounterResets = 0
  package var recordsWithoutTime = 0
  /// The start of the first record without a time, in bytes.
  var firstRecordWithoutTime: UInt64?
  package let damages: [Damage]
  package var handles: [Handle] = []
  /// The handles of heart rate that were reassigned, and the notifications on them since then.
  var reassignedHandles: [OtherHandle] = []
  /// The handles that are not identified, and whose values could all be heart rates.
  package var unidentifiedHandles: [OtherHandle] = []
  /// The account of the heart-rate notifications of all straps, or `nil` for inputs without notifications.
  package var notifications: NotificationAccount?

  package init(_ plan: CapturePlan, notifications: NotificationAccount) {
    self.notifications = notifications
    let summary = plan.summary
    format = summary.format.rawValue
    records = summary.records
    damaged = summary.damaged
    damagedBytes = summary.damagedBytes
    truncated = summary.isTruncated
    encryptedPackets = summary.encryptedPackets
    corruptPackets = summary.corruptPackets
    malformedPackets = summary.malformedPackets
    clockSteps = summary.clockSteps
    dropped = summary.dropped
    dropCounterResets = summary.dropCounterResets
    recordsWithoutTime = summary.recordsWithoutTime
    firstRecordWithoutTime = summary.firstWithoutTime
    damages = summary.damages.map { Damage(offset: $0.offset, length: $0.length, problem: $0.problem) }
    var seen: Set<String> = []
    for strap in plan.straps {
      for link in strap.links {
        let handle = Handle(
          strap: strap.identity.label, handle: Self.text(link.handle), source: link.handleSource.rawValue)
        if seen.insert("\(handle.strap) \(handle.handle) \(handle.source)").inserted { handles.append(handle) }
      }
      reassignedHandles += strap.reassigned.sorted { $0.key < $1.key }.map {
        OtherHandle(strap: strap.identity.label, handle: Self.text($0.key), notifications: $0.value)
      }
    }
    unidentifiedHandles = plan.unidentifiedHandles.map {
      OtherHandle(
        strap: StrapIdentity(address: $0.address).label, handle: Self.text($0.handle), notifications: $0.notifications)
    }
  }

  private static func text(_ handle: UInt16) -> String { "0x" + Hexadecimal.text(handle) }

  /// Creates the section of a series of intervals: records are lines or messages, and damage of text is lines without an
  /// interval.
  package init(_ series: RRSeries) {
    format = series.format.rawValue
    dialect = series.dialect.map {
      Dialect(
        unit: $0.unit.rawValue, separator: $0.separator.rawValue, decimal: $0.decimal.rawValue,
        encoding: $0.encoding.rawValue, column: $0.column, columnName: $0.columnName.map(TerminalText.withoutControls),
        alikeColumns: $0.alikeColumns, times: $0.hasTimes, timesUnused: $0.timesRefusal?.description,
        unusableTimes: $0.unusableTimes)
    }
    records = series.records
    damaged = series.damaged
    damagedBytes = series.damagedBytes
    truncated = series.isTruncated
    damages = series.problems.map {
      switch $0.place {
      case .line(let line):
        Damage(offset: UInt64(line), length: $0.length, problem: "line \(line): \($0.problem)")
      case .byte(let offset): Damage(offset: offset, length: $0.length, problem: $0.problem)
      }
    }
  }

  /// Creates the section of a stored session: records are ledger entries.
  package init(ledgerEntries: Int64) {
    format = "ledger"
    records = Int(ledgerEntries)
    damaged = 0
    truncated = false
    damages = []
  }
}
