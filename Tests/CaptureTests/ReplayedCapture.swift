import Capture
import TachogramCore

/// Everything that a replay of some bytes gives.
struct ReplayedCapture {
  let plan: CapturePlan
  private(set) var entries: [Int: [LedgerEntry]] = [:]

  init(_ bytes: [UInt8], handle: UInt16? = nil) throws {
    let file = try TemporaryCapture(bytes)
    let replay = CaptureReplay(path: file.path, handle: handle)
    plan = try replay.plan()
    var entries: [Int: [LedgerEntry]] = [:]
    try replay.forEachEntry(plan) { entries[$0, default: []].append($1) }
    self.entries = entries
  }

  /// The notified values of a strap.
  func values(_ strap: Int = 0) -> [[UInt8]] {
    (entries[strap] ?? []).compactMap {
      if case .notification(let value) = $0.content { value } else { nil }
    }
  }
}
