import DBus
import Dispatch
import Glibc

/// The daemon's end of the SEQPACKET socket that `AcquireNotify` hands over, with one packet for each value.
///
/// `@unchecked Sendable`: the descriptor never changes and is closed in `deinit` only; the dispatch source is thread-safe but
/// not marked so.
final class FakeNotifySocket: @unchecked Sendable {
  /// The outcome of sending a value.
  private enum Outcome {
    case sent
    /// The socket is full; nothing was sent.
    case full
    /// The reader or the link has ended.
    case closed
  }

  private let descriptor: Int32
  private let source: any DispatchSourceRead

  private init(descriptor: Int32) {
    self.descriptor = descriptor
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
  }

  deinit {
    Glibc.close(descriptor)
  }

  /// Creates a pair of sockets: the daemon's end and the client's. Returns `nil` if the system has no descriptors left.
  /// `closed` is called once when the client closes its end.
  static func pair(closed: @escaping @Sendable () -> Void) -> (ours: FakeNotifySocket, theirs: DBusFileDescriptor)? {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    let socket = FakeNotifySocket(descriptor: ends[0])
    socket.watch(closed)
    return (socket, DBusFileDescriptor(owning: ends[1]))
  }

  private func watch(_ closed: @escaping @Sendable () -> Void) {
    source.setEventHandler { [weak self] in
      guard let self, self.isAtEnd() else { return }
      self.source.cancel()
      closed()
    }
    // The handler keeps the descriptor open until the source is cancelled.
    source.setCancelHandler { [self] in _ = self }
    source.activate()
  }

  /// Discards the client's data. Returns whether the client closed its end.
  private func isAtEnd() -> Bool {
    var buffer: [UInt8] = Array(repeating: 0, count: 1024)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
  }

  /// Sends one value.
  private func send(_ value: [UInt8]) -> Outcome {
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    while Glibc.send(descriptor, value, value.count, flags) < 0 {
      switch errno {
      case EINTR: continue
      case EAGAIN, ENOBUFS: return .full
      default: return .closed
      }
    }
    return .sent
  }

  /// Sends one value. If the socket is full, waits for room or, with `dropsWhenFull`, drops the value. Returns whether the
  /// value was sent.
  func deliver(_ value: [UInt8], dropsWhenFull: Bool) async -> Bool {
    while true {
      switch send(value) {
      case .sent: return true
      case .closed: return false
      case .full where dropsWhenFull: return false
      case .full: await waitForRoom()
      }
    }
  }

  /// Waits until there is room or the socket is closed.
  private func waitForRoom() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      Self.waiting.async { [self] in
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while poll(&entry, 1, -1) < 0, errno == EINTR {}
        continuation.resume()
      }
    }
  }

  /// Ends the connection. The reader receives pending packets, then the end of the stream.
  func shutDown() {
    Glibc.shutdown(descriptor, Int32(SHUT_RDWR))
    source.cancel()
  }

  private static let waiting = DispatchQueue(
    label: "fake-bluez.waiting-for-readers", attributes: .concurrent)
}
