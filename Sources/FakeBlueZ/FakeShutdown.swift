import Synchronization

/// The socket whose closing is watched: known only after the watcher is made. Weak, as the socket holds the watcher.
final class FakeShutdown: Sendable {
  private struct Reference: Sendable {
    weak var socket: FakeNotifySocket?
  }

  private let reference = Mutex(Reference())

  var socket: FakeNotifySocket? {
    get { reference.withLock { $0.socket } }
    set { reference.withLock { $0.socket = newValue } }
  }
}
