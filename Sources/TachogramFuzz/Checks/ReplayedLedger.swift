import Capture
import TachogramCore

/// What a replay of a capture gives: straps and their ledgers, or why there is nothing.
struct ReplayedLedger: Hashable {
  /// The entries of each strap that has some, by its place in the plan.
  typealias Entries = [Int: [LedgerEntry]]

  private(set) var straps: [PlannedStrap] = []
  private(set) var unusableStraps: [PlannedStrap] = []
  private(set) var summary: CaptureSummary?
  private(set) var entries = Entries()
  private(set) var failure: CaptureError?

  /// Replays the capture.
  init(_ replay: CaptureReplay) throws {
    do {
      let plan = try replay.plan()
      (straps, unusableStraps, summary) = (plan.straps, plan.unusableStraps, plan.summary)
      try replay.forEachEntry(plan) { entries[$0, default: []].append($1) }
    } catch let error as CaptureError {
      failure = error
      if case .noHeartRate(_, _, let summary) = error { self.summary = summary }
    }
  }

  /// The format that the file was taken for; `nil` when it is no capture.
  var format: CaptureFormat? {
    if case .badHeader(_, let format, _) = failure { return format }
    return summary?.format
  }
}
