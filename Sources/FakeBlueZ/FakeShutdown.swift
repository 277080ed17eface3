import Synchronization

/// A reference to the socket whose closing is watched. It is set after the watcher is created, and weak because the socket
/// retains the watcher.
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
