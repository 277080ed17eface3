import DBus
import Dispatch
import Glibc

/// bluetoothd's end of the SEQPACKET socket that `AcquireNotify` hands over: one packet a value.
///
/// `@unchecked Sendable`: the descriptor never changes and is closed in `deinit` only, when nobody can use it any
/// more; the dispatch source is thread-safe but not marked so.
final class FakeNotifySocket: @unchecked Sendable {
  /// How sending went.
  private enum Outcome {
    case sent
    /// The reader has not emptied the socket; nothing was sent.
    case full
    /// The reader is gone, or the link.
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

  /// Makes a pair: our end, and the client's. `nil` when the system has no descriptors left. `closed` is called once
  /// when the client closes its end.
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
    // The handler keeps the descriptor open until the source has let go of it.
    source.setCancelHandler { [self] in _ = self }
    source.activate()
  }

  /// Reads away what the client wrote; whether it closed its end.
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

  /// Sends one value, and waits for room unless a value that finds none is lost; whether it went.
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

  /// Returns when there is room, or the socket is closed.
  private func waitForRoom() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      Self.waiting.async { [self] in
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while poll(&entry, 1, -1) < 0, errno == EINTR {}
        continuation.resume()
      }
    }
  }

  /// Ends the connection: the reader gets what is under way, then the end of the stream.
  func shutDown() {
    Glibc.shutdown(descriptor, Int32(SHUT_RDWR))
    source.cancel()
  }

  private static let waiting = DispatchQueue(
    label: "fake-bluez.waiting-for-readers", attributes: .concurrent)
}
