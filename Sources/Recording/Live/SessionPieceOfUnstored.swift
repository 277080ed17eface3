import Repository
import TachogramCore

extension SessionPiece {
  /// Creates a piece from data that is not stored. `isBegun` is whether this run has stored a piece of the session, and `isResumed`
  /// whether an earlier one has.
  init(_ rest: LiveSession.Unstored, of session: SessionDescription, isBegun: Bool, isResumed: Bool) {
    // A resumed session is stored again with all rows derived from it. If these are pending, entries are only appended.
    let needsDerivation = if case .pending = rest.derivation { true } else { false }
    self.init(
      isBegun || isResumed && needsDerivation ? .continuation(session.id) : .beginning(session), rest.batch,
      describing: rest.identity, derivation: rest.derivation)
  }
}
