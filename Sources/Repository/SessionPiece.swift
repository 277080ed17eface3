import StressKit
import TachogramCore

/// A piece of a session on its way to the database, with what is new of its strap meanwhile.
package struct SessionPiece: Sendable {
  /// What a session lacks of what derives from its stored entries.
  package enum Derivation: Hashable, Sendable {
    /// Some of it; `kind` stands for HRV in the stress when it is derived.
    case pending(HRVKind)
    /// Nothing any more: it is in the batch.
    case complete
  }

  package enum Place: Hashable, Sendable {
    /// The session begins, or begins a stored one anew: what derives from the stored entries, all of it, is in the batch, or is
    /// pending.
    case beginning(SessionDescription)
    /// It goes on: the identifier of a stored session.
    case continuation(String)
  }

  package let place: Place
  package let batch: SessionBatch
  /// What is known of the strap, where it is new.
  package let strap: StrapIdentity?
  /// `nil`: as before.
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
