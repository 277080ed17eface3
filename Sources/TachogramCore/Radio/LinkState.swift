/// The phase of the link to a strap, with its start and its reason.
package struct LinkState: Hashable, Sendable {
  package var phase: LinkPhase
  /// The reason for the phase, or `nil` if there was no failure.
  package var reason: LinkReason?
  package var since: MonotonicTime

  package init(phase: LinkPhase, reason: LinkReason? = nil, since: MonotonicTime) {
    self.phase = phase
    self.reason = reason
    self.since = since
  }
}
