/// Where the link to a strap stands, since when and why.
package struct LinkState: Hashable, Sendable {
  package var phase: LinkPhase
  /// What led here; `nil` when all went well.
  package var reason: LinkReason?
  package var since: MonotonicTime

  package init(phase: LinkPhase, reason: LinkReason? = nil, since: MonotonicTime) {
    self.phase = phase
    self.reason = reason
    self.since = since
  }
}
