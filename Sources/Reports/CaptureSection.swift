import Capture
import IntervalFiles
import Presentation
import Sessions
import TachogramCore

/// The section `capture` of a report: how the reading of the input went.
package struct CaptureSection: Encodable {
  package struct Damage: Encodable {
    /// Bytes from the start of the file, or the line of a text file.
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

  /// How the intervals stand in a text file.
  package struct Dialect: Encodable {
    let unit: String
    let separator: String
    let decimal: String
    let encoding: String
    /// From 1.
    let column: Int
    let columnName: String?
    /// How many columns have such a heading; the first is read.
    let alikeColumns: Int
    let times: Bool
    /// Why a column of times is not used.
    let timesUnused: String?
    /// Intervals beside a time that cannot be.
    let unusableTimes: Int

    /// For people: `ms in column 2 "RR", columns by comma, decimal point, with times`.
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
  /// Packets that the capturing system says it dropped.
  package var dropped: UInt64 = 0
  /// How often its counter of them went back.
  package var dropCounterResets = 0
  package var recordsWithoutTime = 0
  /// Where the first of them begins, in bytes.
  var firstRecordWithoutTime: UInt64?
  package let damages: [Damage]
  package var handles: [Handle] = []
  /// Handles of heart rate that became something else, and what was notified on them since.
  var reassignedHandles: [OtherHandle] = []
  /// Handles that nothing names, and whose values could all be heart rates.
  package var unidentifiedHandles: [OtherHandle] = []
  /// What became of the heart-rate notifications of all straps; `nil` for inputs that have none.
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

  /// For a series of intervals: records are lines or messages, damage of text is lines that hold no interval.
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

  /// For a stored session: records are ledger entries.
  package init(ledgerEntries: Int64) {
    format = "ledger"
    records = Int(ledgerEntries)
    damaged = 0
    truncated = false
    damages = []
  }
}
