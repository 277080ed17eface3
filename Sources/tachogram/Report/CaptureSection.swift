import Capture
import TachogramCore

/// The section `capture` of a report: how the reading of the input went.
struct CaptureSection: Encodable {
  struct Damage: Encodable {
    /// Bytes from the start of the file, or the line of a text file.
    let offset: UInt64
    let length: UInt64
    let problem: String
  }

  struct Handle: Encodable {
    let strap: String
    let handle: String
    let source: String
  }

  let format: String
  let records: Int
  let damaged: Int
  var damagedBytes: UInt64 = 0
  let truncated: Bool
  var encryptedPackets = 0
  var corruptPackets = 0
  var malformedPackets = 0
  var clockSteps = 0
  let damages: [Damage]
  var handles: [Handle] = []

  init(_ plan: CapturePlan) {
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
    damages = summary.damages.map { Damage(offset: $0.offset, length: $0.length, problem: $0.problem) }
    var seen: Set<String> = []
    for strap in plan.straps {
      for link in strap.links {
        let handle = Handle(
          strap: strap.identity.label, handle: Self.hexadecimal(link.handle), source: link.handleSource.rawValue)
        if seen.insert("\(handle.strap) \(handle.handle) \(handle.source)").inserted { handles.append(handle) }
      }
    }
  }

  /// For a series of intervals from text: records are lines, damage is lines that hold no interval.
  init(_ series: RRTextSeries) {
    format = "rrText"
    records = series.lines
    damaged = series.malformed
    truncated = false
    damages = series.problems.map {
      Damage(offset: UInt64($0.line), length: 1, problem: "line \($0.line): \($0.problem)")
    }
  }

  /// For a stored session: records are ledger entries.
  init(ledgerEntries: Int64) {
    format = "ledger"
    records = Int(ledgerEntries)
    damaged = 0
    truncated = false
    damages = []
  }

  private static func hexadecimal(_ handle: UInt16) -> String {
    let digits = String(handle, radix: 16)
    return "0x" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
