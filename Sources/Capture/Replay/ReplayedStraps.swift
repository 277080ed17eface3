import TachogramCore

/// Converts the entries of the straps of a capture to events of a source. A capture may lack the beginning and the end of its
/// links; the events have both.
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

  /// Emits the identities of the straps.
  func identify(at now: Instant) {
    for (number, strap) in straps.enumerated() { emit(number, .identified(strap.identity), now) }
  }

  /// Emits the events of an entry of a strap.
  mutating func handle(_ strap: Int, _ entry: LedgerEntry, at now: Instant) {
    switch entry.content {
    case .notification(let value):
      guard begin(entry.link, of: strap, at: now) else { return }
      emit(strap, .notification(value), now)
    case .pulseIntervals(let frame):
      guard begin(entry.link, of: strap, at: now) else { return }
      emit(strap, .sensor(.frame(frame)), now)
    case .linkDown(let reason):
      // The link was replaced by another one before.
      guard up[strap] == entry.link else { return }
      up[strap] = nil
      emit(strap, .linkDown(reason: reason), now)
      // After a loss the link is up again with the next notification.
      if reason == DisconnectionCode.captureLoss { return }
      emit(strap, .state(LinkState(phase: .scanning, reason: .linkLost, since: now.monotonic)), now)
    }
  }

  /// Emits what a strap sent beside its heart rate. It may arrive before the first heart rate of its link.
  mutating func handle(_ strap: Int, _ measurement: ReplayedMeasurement, at now: Instant) {
    guard begin(measurement.link, of: strap, at: now) else { return }
    emit(strap, .sensor(measurement.content), now)
  }

  /// Emits the beginning of a link unless it is up. Returns whether the capture has the link.
  private mutating func begin(_ number: Int, of strap: Int, at now: Instant) -> Bool {
    if up[strap] == number { return true }
    guard let link = straps[strap].links.first(where: { $0.number == number }) else { return false }
    // The end of the previous link was not captured.
    if up[strap] != nil { emit(strap, .linkDown(reason: 0), now) }
    up[strap] = link.number
    emit(strap, .linkUp(handle: link.handle, handleSource: link.handleSource, bootID: nil), now)
    emit(strap, .state(LinkState(phase: .live, since: now.monotonic)), now)
    return true
  }

  /// Ends the links that are up.
  mutating func end(at now: Instant) {
    for strap in up.keys.sorted() { emit(strap, .linkDown(reason: DisconnectionCode.localHost), now) }
    up = [:]
  }

  private func emit(_ strap: Int, _ content: StrapEvent.Content, _ now: Instant) {
    emit(StrapEvent(strap: strap, monotonic: now.monotonic, wall: now.wall, content: content))
  }
}
