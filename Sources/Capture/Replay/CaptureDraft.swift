/// What a survey gives away of what it collects, while that is a draft of the replay: each full piece, with the plan as far
/// as that goes.
struct CaptureDraft {
  /// The most connections with which a draft is made: its plan is made again and again.
  private static let mostDrafted = 256
  /// The most work on plans for a draft, in connections and parts of their routes: where they change all the time, the second
  /// pass is quicker.
  private static let mostPlanning = 1_000_000

  private let drafting: CaptureReplay.Drafting?
  private let handle: UInt16?
  private var plan: CapturePlan?
  private var planning = 0

  /// Gives the pieces to `drafting`; `handle`: the attribute handle that carries heart rate, where discovery does not name it.
  init(handle: UInt16?, drafting: CaptureReplay.Drafting?) {
    self.handle = handle
    self.drafting = drafting
  }

  /// Gives the full piece of `survey` away for an empty one, or ends the draft where it takes too long.
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
