import TachogramCore
import Threads

/// Emits the events of one strap, on any thread. The clock is read and the event emitted under one lock, so that times do not
/// decrease.
final class StrapEventEmitter: Sendable {
  private let strap: Int
  private let time: any TimeSourceProtocol
  private let emit: @Sendable (StrapEvent) -> Void
  private let hasEnded = Guarded(false)

  /// `emit` receives the events; it must not emit any itself.
  init(strap: Int, time: any TimeSourceProtocol, emit: @escaping @Sendable (StrapEvent) -> Void) {
    self.strap = strap
    self.time = time
    self.emit = emit
  }

  /// Emits an event with the current time, unless `dismissed` has been emitted. Returns the current time.
  @discardableResult
  func emit(_ content: StrapEvent.Content) -> MonotonicTime {
    hasEnded.withLock { hasEnded in
      let now = time.now()
      if !hasEnded { emit(StrapEvent(strap: strap, monotonic: now.monotonic, wall: now.wall, content: content)) }
      if content == .dismissed { hasEnded = true }
      return now.monotonic
    }
  }
}
