import Capture
import TachogramCore

/// The ledger entries that a draft beside the survey of a capture gives, by strap.
package enum SpeculativeEntries {
  /// What a draft beside the survey gives in pieces of `capacity` events; `nil` when the plan turned out otherwise.
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
