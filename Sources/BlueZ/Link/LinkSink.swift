import BluetoothKernel
import TachogramCore

/// Where the notifications of one link go, from whichever thread they come. Once closed it lets nothing through, so that no
/// notification is emitted after the end of its link.
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

  /// When the last notification came.
  var heard: MonotonicTime? { state.withLock { $0.heard } }

  /// Whether a notification calls `wake`.
  func setWakes(_ wakes: Bool) {
    state.withLock { $0.wakes = wakes }
  }

  /// Takes a notification.
  func deliver(_ value: [UInt8]) {
    let wakes = state.withLock { state -> Bool in
      guard state.isOpen else { return false }
      state.heard = emitter.emit(.notification(value))
      return state.wakes
    }
    if wakes { wake() }
  }

  /// Lets nothing through any more; `end` emits the end of the link.
  func close() {
    state.withLock { $0.isOpen = false }
  }

  /// Closes, and emits `linkDown` with the reason, once.
  func end(reason: UInt8) {
    state.withLock { state in
      state.isOpen = false
      guard state.isUp else { return }
      state.isUp = false
      emitter.emit(.linkDown(reason: reason))
    }
  }
}
