import Capture
import CommandProcess
import Dispatch
import Pipeline
import StressKit
import Synchronization
import TachogramCore

/// Runs the sessions of a capture on a thread of its own while the capture is still surveyed: where only the report is
/// wanted, what a draft did is easily forgotten when the capture turns out otherwise.
final class SpeculativeReplayRunner: Sendable {
  private struct State {
    var replay = SpeculativeReplay()
    var sessions: ReportSessions
    /// Whether something went wrong; the replay that takes the place of the draft will say what.
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

  /// Pieces between the two threads: one that is filled, one that is replayed, one that waits.
  private static let pieces = 3

  private let queue = DispatchQueue(label: "tachogram.draft")
  private let state: Mutex<State>
  private let replayed = DispatchSemaphore(value: pieces - 1)
  private let empty = Mutex<[SurveyChunk]>([])

  init(_ filter: StrapFilter, person: String?, kind: HRVKind) {
    state = Mutex(State(sessions: ReportSessions(filter, person: person, kind: kind)))
  }

  /// Takes the next piece of the capture and gives an empty one, as soon as there is one.
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

  /// The reports of the capture's sessions in the order of the straps, now that it is surveyed whole and `last` is what
  /// is left of it; `nil` when the draft was on another plan than `plan`.
  func reports(_ last: SurveyChunk, of plan: CapturePlan) -> [SessionReport]? {
    queue.sync { state.withLock { $0.finish(last, plan) } }
  }
}
