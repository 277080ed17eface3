import StressKit
import TachogramCore

/// A part of a session to be stored, with the new facts about its strap.
package struct SessionPiece: Sendable {
  /// The state of the rows derived from the stored entries of a session.
  package enum Derivation: Hashable, Sendable {
    /// Some rows are pending; `kind` is the HRV metric for the stress when they are derived.
    case pending(HRVKind)
    /// All rows are derived and contained in the batch.
    case complete
  }

  package enum Place: Hashable, Sendable {
    /// The session begins, or replaces a stored one: all rows derived from the stored entries are in the batch or pending.
    case beginning(SessionDescription)
    /// The continuation of the stored session with this identifier.
    case continuation(String)
  }

  package let place: Place
  package let batch: SessionBatch
  /// The facts about the strap, if they are new.
  package let strap: StrapIdentity?
  /// The state of the derived rows, or `nil` if it is unchanged.
  package let derivation: Derivation?

  /// The identifier of the session.
  package var session: String {
    switch place {
    case .beginning(let session): session.id
    case .continuation(let session): session
    }
  }

  package init(
    _ place: Place, _ batch: SessionBatch, describing strap: StrapIdentity? = nil, derivation: Derivation? = nil
  ) {
    self.place = place
    self.batch = batch
    self.strap = strap
    self.derivation = derivation
  }
}
