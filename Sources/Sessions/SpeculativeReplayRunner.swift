import Capture
import CommandProcess
import Dispatch
import Pipeline
import StressKit
import Synchronization
import TachogramCore

/// Runs the sessions of a capture on a dedicated thread while the capture is still being surveyed. If only the report is
/// needed, the draft is easily discarded when the plan turns out to differ.
final class SpeculativeReplayRunner: Sendable {
  private struct State {
    var replay = SpeculativeReplay()
    var sessions: ReportSessions
    /// Whether an error occurred. It will be reported by the replay that replaces the draft.
    var isGivenUp = false

    mutating func ingest(_ piece: SurveyChunk, of plan: CapturePlan) {
      if isGivenUp || Interrupt.isRequested { return isGivenUp = true }
      do {
        sessions.straps = plan.straps
        try replay.ingest(piece, of: plan) { try sessions.ingest($0, $1) }
      } catch {
        isGivenUp = true
      }
    }

    mutating func finish(_ last: SurveyChunk, _ whole: CapturePlan) -> [SessionReport]? {
      ingest(last, of: whole)
      guard !isGivenUp, replay.agrees(with: whole) else { return nil }
      return sessions.finish()
    }
  }

  /// The number of pieces between the two threads: one is being filled, one is being replayed, one is waiting.
  private static let pieces = 3

  private let queue = DispatchQueue(label: "tachogram.draft")
  private let state: Mutex<State>
  private let replayed = DispatchSemaphore(value: pieces - 1)
  private let empty = Mutex<[SurveyChunk]>([])

  init(_ filter: StrapFilter, person: String?, kind: HRVKind) {
    state = Mutex(State(sessions: ReportSessions(filter, person: person, kind: kind)))
  }

  /// Enqueues the next piece of the capture, and returns an empty one as soon as it is available.
  func ingest(_ piece: SurveyChunk, of plan: CapturePlan) -> SurveyChunk {
    queue.async {
      self.state.withLock { $0.ingest(piece, of: plan) }
      var piece = piece
      piece.clear()
      self.empty.withLock { $0.append(piece) }
      self.replayed.signal()
    }
    replayed.wait()
    return empty.withLock { $0.popLast() } ?? SurveyChunk()
  }

  /// Returns the reports of the capture's sessions in the order of the straps. The survey is complete, and `last` is the rest
  /// of the capture. Returns `nil` if the draft used a plan other than `plan`.
  func reports(_ last: SurveyChunk, of plan: CapturePlan) -> [SessionReport]? {
    queue.sync { state.withLock { $0.finish(last, plan) } }
  }
}
