import TachogramCore

/// A replay that goes on beside the survey, on what is known of the capture by then. Nearly always the rest adds to that
/// and changes nothing; where it does otherwise, what the draft gave is worth nothing.
package struct SpeculativeReplay: Sendable {
  private var revision: Int?
  private var straps: [BluetoothAddress] = []
  private var router = ArrivalRouter()
  private var isWrong = false

  /// A draft of which nothing is given yet.
  package init() {}

  /// Gives what arrived in the next piece to `body`; `plan` is that of the capture as far as the piece goes.
  package mutating func ingest(
    _ piece: SurveyChunk, of plan: CapturePlan, _ body: (ReplayedArrival, Span<UInt8>) throws -> Void
  ) rethrows {
    adopt(plan)
    if isWrong { return }
    try piece.replay(through: &router, body)
  }

  /// Whether what was given is what a replay on `whole` gives, which is the plan of the whole capture.
  package mutating func agrees(with whole: CapturePlan) -> Bool {
    // Anew, for its counts, though nothing else may have changed.
    revision = nil
    adopt(whole)
    return !isWrong && router.isComplete
  }

  private mutating func adopt(_ plan: CapturePlan) {
    guard !isWrong, revision != plan.revision else { return }
    revision = plan.revision
    let known = plan.straps.map(\.identity.address)
    isWrong = !known.starts(with: straps) || !router.adopt(plan)
    straps = known
  }
}
