import Capture
import CommandProcess
import Recording
import Repository
import TachogramCore

/// Recognises the sessions of a capture that are already stored from another source, before any of them is stored. If nothing
/// is stored of the time of the capture, this takes one pass over the file, otherwise two passes and 16 bytes per beat.
struct CaptureCopies {
  private let replay: CaptureReplay
  private let plan: CapturePlan
  private let copies: RecordingCopies

  init(_ replay: CaptureReplay, _ plan: CapturePlan, _ database: TachogramDatabase) {
    (self.replay, self.plan) = (replay, plan)
    copies = RecordingCopies(database: database)
  }

  /// Returns the verdict on the session of each requested strap, by the index of the strap. Sessions of a time of which nothing
  /// is stored have no verdict.
  func verdicts(_ wanted: [Bool], person: String?) throws -> [Int: CopyVerdict] {
    var found: [Int: (session: SessionDescription, span: ClosedRange<Int64>)] = [:]
    try replay.forEachArrival(plan) { arrival, value in
      try stopIfAsked()
      guard wanted[arrival.strap] else { return }
      let time = arrival.wall.microseconds
      if let known = found[arrival.strap] {
        found[arrival.strap] = (known.session, min(known.span.lowerBound, time)...max(known.span.upperBound, time))
      } else {
        let session = SessionDescription.replayed(
          plan.straps[arrival.strap], first: arrival.entry(value), person: person)
        found[arrival.strap] = (session, time...time)
      }
    }
    var derivations: [Int: RecordedBeatDerivation] = [:]
    for (strap, session) in found where try copies.mayHold(session.span, except: session.session.id) {
      derivations[strap] = RecordedBeatDerivation(session.session)
    }
    if derivations.isEmpty { return [:] }
    try replay.forEachEntry(plan) { strap, entry in
      try stopIfAsked()
      derivations[strap]?.append(entry)
    }
    var verdicts: [Int: CopyVerdict] = [:]
    for (strap, derivation) in derivations {
      guard let session = found[strap]?.session else { continue }
      verdicts[strap] = try copies.verdict(on: .init(session: session, beats: derivation.beats()))
    }
    return verdicts
  }

  private func stopIfAsked() throws {
    if Interrupt.isRequested {
      throw CommandFailure("stopped by the user before anything was stored", code: .interrupted)
    }
  }
}
