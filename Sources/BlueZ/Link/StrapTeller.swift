import BluetoothKernel
import TachogramCore

/// Tells the events of one strap, from whichever thread. Clock and telling are one step, so that times do not decrease.
final class StrapTeller: Sendable {
  private let strap: Int
  private let time: any TimeSourceProtocol
  private let emit: @Sendable (StrapEvent) -> Void
  private let hasEnded = Guarded(false)

  /// `emit` takes the events; it must not tell any itself.
  init(strap: Int, time: any TimeSourceProtocol, emit: @escaping @Sendable (StrapEvent) -> Void) {
    self.strap = strap
    self.time = time
    self.emit = emit
  }

  /// Tells an event of now, unless the last one was told. Returns when that is.
  @discardableResult
  func tell(_ content: StrapEvent.Content) -> MonotonicTime {
    hasEnded.withLock { hasEnded in
      let now = time.now()
      if !hasEnded { emit(StrapEvent(strap: strap, monotonic: now.monotonic, wall: now.wall, content: content)) }
      if content == .dismissed { hasEnded = true }
      return now.monotonic
    }
  }
}
