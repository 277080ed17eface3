import TachogramCore

/// A replay that runs beside the survey, with what is known of the capture so far. Nearly always the remaining part only adds
/// facts; if it changes earlier ones, the draft is discarded.
package struct SpeculativeReplay: Sendable {
  private var revision: Int?
  private var straps: [BluetoothAddress] = []
  private var router = ArrivalRouter()
  private var isWrong = false

  /// Creates an empty draft.
  package init() {}

  /// Calls `body` with the arrivals of the next piece; `plan` is that of the capture up to its end.
  package mutating func ingest(
    _ piece: SurveyChunk, of plan: CapturePlan, _ body: (ReplayedArrival, Span<UInt8>) throws -> Void
  ) rethrows {
    adopt(plan)
    if isWrong { return }
    try piece.replay(through: &router, body)
  }

  /// Whether the draft equals a replay with `whole`, the plan of the whole capture. A draft has no pulse intervals.
  package mutating func agrees(with whole: CapturePlan) -> Bool {
    // The plan is adopted again for its counts, even if nothing else has changed.
    revision = nil
    adopt(whole)
    return !isWrong && router.isComplete && !whole.hasPulseIntervals
  }

  private mutating func adopt(_ plan: CapturePlan) {
    guard !isWrong, revision != plan.revision else { return }
    revision = plan.revision
    let known = plan.straps.map(\.identity.address)
    isWrong = !known.starts(with: straps) || !router.adopt(plan)
    straps = known
  }
}
