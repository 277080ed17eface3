import TachogramCore

extension SessionDescription {
  /// Returns the session of a strap in a capture, by its first entry.
  package static func replayed(_ strap: PlannedStrap, first: LedgerEntry, person: String? = nil) -> SessionDescription {
    SessionDescription(
      id: identifier(strap: strap.identity.address, first: first), strap: strap.identity, origin: .replay,
      person: person, start: first.wall, monotonicStart: first.monotonic)
  }
}
