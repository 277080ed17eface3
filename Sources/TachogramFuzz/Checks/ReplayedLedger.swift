import Capture
import TachogramCore

/// The result of replaying a capture: straps and their ledgers, or the reason for the failure.
struct ReplayedLedger: Hashable {
  /// The entries of each strap that has some, by its index in the plan.
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

  /// The detected format of the file, or `nil` if it is not a capture.
  var format: CaptureFormat? {
    if case .badHeader(_, let format, _) = failure { return format }
    return summary?.format
  }
}
