/// Passes the pieces that a survey collects to a draft of the replay: each full piece, with the plan up to its end.
struct CaptureDraft {
  /// The maximum number of connections for a draft, because its plan is made repeatedly.
  private static let mostDrafted = 256
  /// The maximum work on plans for a draft, in connections and parts of their routes. If plans change continually, a second
  /// pass is faster.
  private static let mostPlanning = 1_000_000

  private let drafting: CaptureReplay.Drafting?
  private let handle: UInt16?
  private var plan: CapturePlan?
  private var planning = 0

  /// Creates a draft whose pieces are passed to `drafting`. `handle` is the attribute handle of heart rate, if discovery does
  /// not name it.
  init(handle: UInt16?, drafting: CaptureReplay.Drafting?) {
    self.handle = handle
    self.drafting = drafting
  }

  /// Exchanges the full piece of `survey` for an empty one, or ends the draft if it takes too long.
  mutating func exchangePiece(of survey: inout CaptureSurvey, _ summary: CaptureSummary) {
    guard let drafting else { return }
    if survey.connections.count > Self.mostDrafted || planning > Self.mostPlanning { return survey.endDrafting() }
    if plan?.revision != survey.revision {
      plan = CapturePlan(survey: survey, summary: summary, handle: handle)
      planning += plan?.size ?? 0
    }
    if let plan { survey.exchangePiece { drafting(plan, $0) } }
  }
}
