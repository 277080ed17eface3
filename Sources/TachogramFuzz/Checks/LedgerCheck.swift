import Capture
import TachogramCore

/// The invariants of the ledger of every capture, however damaged.
enum LedgerCheck {
  /// Checks a ledger. `fileSize` is in bytes.
  static func check(_ ledger: ReplayedLedger, fileSize: Int) throws {
    if let failure = ledger.failure {
      try FuzzFinding.unless(!failure.description.isEmpty, "a failure without words")
    }
    if let summary = ledger.summary { try check(summary, fileSize) }
    for strap in ledger.unusableStraps {
      try FuzzFinding.unless(
        strap.notifications == 0 && strap.leftOut.total > 0, "an unusable strap with \(strap.notifications) to replay")
    }
    for (number, strap) in ledger.straps.enumerated() {
      try check(strap, ledger.entries[number] ?? [])
    }
    try FuzzFinding.unless(
      ledger.entries.keys.allSatisfy(ledger.straps.indices.contains), "entries of a strap that is not there")
  }

  private static func check(_ summary: CaptureSummary, _ fileSize: Int) throws {
    try FuzzFinding.unless(
      summary.damages.count == min(summary.damaged, CaptureSummary.describedDamages),
      "\(summary.damages.count) of \(summary.damaged) damages are described")
    try FuzzFinding.unless(
      summary.damagedBytes <= UInt64(fileSize), "\(summary.damagedBytes) of \(fileSize) bytes are damaged")
    var end: UInt64 = 0
    for damage in summary.damages {
      try FuzzFinding.unless(
        damage.offset >= end && damage.offset + damage.length <= UInt64(fileSize), "damage out of place: \(damage)")
      end = damage.offset + damage.length
    }
  }

  private static func check(_ strap: PlannedStrap, _ entries: [LedgerEntry]) throws {
    let notifications = entries.count { if case .notification = $0.content { true } else { false } }
    try FuzzFinding.unless(
      strap.notifications == notifications, "\(strap.notifications) notifications planned, \(notifications) replayed")
    try FuzzFinding.unless(
      strap.links.map(\.number) == Array(strap.links.indices), "links are numbered \(strap.links.map(\.number))")
    var last: MonotonicTime?
    for (position, entry) in entries.enumerated() {
      try FuzzFinding.unless(
        entry.sequence == Int64(position), "entry \(position) has the sequence number \(entry.sequence)")
      try FuzzFinding.unless(
        strap.links.indices.contains(entry.link), "entry \(position) is of a link that is not there")
      try FuzzFinding.unless(last.map { $0 <= entry.monotonic } ?? true, "the time of entry \(position) goes back")
      last = entry.monotonic
    }
  }
}
