import TachogramCore
import Threads

/// Receives the notifications of one link on any thread. After it is closed it discards them, so that no notification is
/// emitted after the end of its link.
final class LinkSink: Sendable {
  private struct State {
    var isOpen = true
    /// Whether the end of the link is still to be emitted.
    var isUp = true
    var heard: MonotonicTime?
    var wakes = true
  }

  private let emitter: StrapEventEmitter
  private let wake: @Sendable () -> Void
  private let state = Guarded(State())

  /// `wake` is called for a notification while `wakes` is set.
  init(_ emitter: StrapEventEmitter, wake: @escaping @Sendable () -> Void) {
    self.emitter = emitter
    self.wake = wake
  }

  /// The time of the last notification.
  var heard: MonotonicTime? { state.withLock { $0.heard } }

  /// Whether a notification calls `wake`.
  func setWakes(_ wakes: Bool) {
    state.withLock { $0.wakes = wakes }
  }

  /// Emits a notification, unless the sink is closed.
  func deliver(_ value: [UInt8]) {
    let wakes = state.withLock { state -> Bool in
      guard state.isOpen else { return false }
      state.heard = emitter.emit(.notification(value))
      return state.wakes
    }
    if wakes { wake() }
  }

  /// Emits what the strap sent beside its heart rate, unless the sink is closed. It is no sign that heart rates arrive.
  func deliver(sensor content: SensorEntry.Content) {
    state.withLock { state in
      if state.isOpen { emitter.emit(.sensor(content)) }
    }
  }

  /// Discards all later notifications. The end of the link is emitted by `end`.
  func close() {
    state.withLock { $0.isOpen = false }
  }

  /// Closes the sink and emits `linkDown` with the reason, unless it has been emitted.
  func end(reason: UInt8) {
    state.withLock { state in
      state.isOpen = false
      guard state.isUp else { return }
      state.isUp = false
      emitter.emit(.linkDown(reason: reason))
    }
  }
}
