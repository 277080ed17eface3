import Capture
import TachogramCore

/// The ledger entries that a draft produces during the survey of a capture, by strap.
package enum SpeculativeEntries {
  /// Returns the entries of a draft in pieces of `capacity` events, or `nil` if the draft disagrees with the final plan.
  package static func read(_ replay: CaptureReplay, capacity: Int) throws -> [Int: [LedgerEntry]]? {
    var draft = SpeculativeReplay()
    var entries: [Int: [LedgerEntry]] = [:]
    let (whole, last) = try replay.plan(
      progress: { _ in }, filling: SurveyChunk(capacity: capacity),
      drafting: { plan, piece in
        draft.ingest(piece, of: plan) { entries[$0.strap, default: []].append($0.entry($1)) }
        var piece = piece
        piece.clear()
        return piece
      })
    draft.ingest(last, of: whole) { entries[$0.strap, default: []].append($0.entry($1)) }
    return draft.agrees(with: whole) ? entries : nil
  }
}
