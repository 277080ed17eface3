import TachogramCore

/// The straps of a capture while it is played: makes the events of a source from its entries. A capture may lack the beginning
/// and the end of its links; the events have both.
struct ReplayedStraps {
  typealias Instant = (monotonic: MonotonicTime, wall: WallTime)

  private let straps: [PlannedStrap]
  private let emit: (StrapEvent) -> Void
  /// The numbers of the links that are up, by strap.
  private var up: [Int: Int] = [:]

  init(plan: CapturePlan, emit: @escaping (StrapEvent) -> Void) {
    straps = plan.straps
    self.emit = emit
  }

  /// Tells who the straps are.
  func identify(at now: Instant) {
    for (number, strap) in straps.enumerated() { tell(number, .identified(strap.identity), now) }
  }

  /// Tells what an entry of a strap stands for.
  mutating func take(_ strap: Int, _ entry: LedgerEntry, at now: Instant) {
    switch entry.content {
    case .notification(let value):
      if up[strap] != entry.link {
        guard let link = straps[strap].links.first(where: { $0.number == entry.link }) else { return }
        // The end of the link before was not captured.
        if up[strap] != nil { tell(strap, .linkDown(reason: 0), now) }
        up[strap] = link.number
        tell(strap, .linkUp(handle: link.handle, handleSource: link.handleSource, bootID: nil), now)
        tell(strap, .state(LinkState(phase: .live, since: now.monotonic)), now)
      }
      tell(strap, .notification(value), now)
    case .linkDown(let reason):
      // Of a link that gave way to another one long since, there is nothing to tell.
      guard up[strap] == entry.link else { return }
      up[strap] = nil
      tell(strap, .linkDown(reason: reason), now)
      // Behind a loss the link is up again with the next notification.
      if reason == DisconnectionCode.captureLoss { return }
      tell(strap, .state(LinkState(phase: .scanning, reason: .linkLost, since: now.monotonic)), now)
    }
  }

  /// Ends the links that are up.
  mutating func end(at now: Instant) {
    for strap in up.keys.sorted() { tell(strap, .linkDown(reason: DisconnectionCode.localHost), now) }
    up = [:]
  }

  private func tell(_ strap: Int, _ content: StrapEvent.Content, _ now: Instant) {
    emit(StrapEvent(strap: strap, monotonic: now.monotonic, wall: now.wall, content: content))
  }
}
