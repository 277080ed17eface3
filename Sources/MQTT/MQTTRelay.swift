import CMosquitto
import Glibc

/// Stands between libmosquitto and the network. libmosquitto reads a message of any size, up to 256 MB, into memory; it reads
/// from a socket pair here, which receives a few kilobytes at a time, so that too large a message is noticed at its beginning.
/// The bytes are relayed as they are: TLS is libmosquitto's.
final class MQTTRelay {
  /// What is relayed at a time, in bytes.
  private static let chunk = 16 << 10
  /// What the kernel may hold of unsent data, in bytes: a peer that no longer reads is noticed early.
  private static let unsent: Int32 = 64 << 10

  /// The connection to the broker.
  let network: Int32
  /// The end of the socket pair whose other end libmosquitto has in place of its connection.
  let local: Int32
  private var buffer = [UInt8](repeating: 0, count: chunk)
  /// What the network has not accepted yet.
  private var outgoing: ArraySlice<UInt8> = []
  /// The number of bytes that the network accepted.
  private(set) var sent = 0
  /// The number of bytes that libmosquitto received.
  private(set) var received = 0
  /// Whether the network will deliver nothing more.
  private(set) var isAtEnd = false
  /// The error of the network, or 0.
  private(set) var error: Int32 = 0
  private var isLocalAtEnd = false

  /// Replaces the connection of a descriptor that libmosquitto uses.
  init?(replacing descriptor: Int32) {
    var ends: [Int32] = [-1, -1]
    let flags = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, flags, 0, &ends) == 0 else { return nil }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0, dup2(ends[1], descriptor) == descriptor else {
      for end in ends + [copy] where end >= 0 { close(end) }
      return nil
    }
    close(ends[1])
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    (network, local) = (copy, ends[0])
    var size = Self.unsent
    for socket in [network, descriptor] {
      setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  deinit {
    close(network)
    close(local)
  }

  /// What `poll` is to wait for.
  var networkEvents: Int16 { (isAtEnd ? 0 : Int16(POLLIN)) | (outgoing.isEmpty ? 0 : Int16(POLLOUT)) }
  var localEvents: Int16 { outgoing.isEmpty && !isLocalAtEnd ? Int16(POLLIN) : 0 }
  /// Whether the network has accepted everything that it was given.
  var isFlushed: Bool { outgoing.isEmpty }

  /// Relays one chunk from the network. Returns whether there is something new for libmosquitto, even if only the end.
  func receive() -> Bool {
    guard !isAtEnd else { return false }
    let count = recv(network, &buffer, buffer.count, 0)
    if count > 0 {
      // The socket pair is empty: `MQTTSession` lets libmosquitto read everything each time.
      received += count
      guard send(local, buffer, count, Int32(MSG_NOSIGNAL)) != count else { return true }
      error = ENOBUFS
    } else if count < 0 {
      guard errno != EAGAIN, errno != EINTR else { return false }
      error = errno
    }
    isAtEnd = true
    shutdown(local, Int32(SHUT_WR))
    return true
  }

  /// Relays what libmosquitto wrote, as far as the network accepts it.
  func flush() {
    while true {
      if outgoing.isEmpty {
        let count = recv(local, &buffer, buffer.count, 0)
        guard count > 0 else {
          if count == 0 { isLocalAtEnd = true }
          return
        }
        outgoing = buffer[..<count]
      }
      let count = outgoing.withUnsafeBytes { send(network, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else {
        guard errno != EINTR else { continue }
        // The error is found again by reading, after what the broker sent before it.
        if errno != EAGAIN { outgoing = [] }
        return
      }
      sent += count
      outgoing = outgoing.dropFirst(count)
    }
  }

  /// Sends what is left, ends the connection and waits until the broker does so as well: it has then read everything.
  func finish(deadline: ContinuousClock.Instant) {
    var isShut = false
    while ContinuousClock.now < deadline {
      flush()
      if isFlushed, !isShut {
        isShut = true
        shutdown(network, Int32(SHUT_WR))
      }
      let count = recv(network, &buffer, buffer.count, 0)
      if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { return }
      guard count < 0 else { continue }
      let time = ((deadline - .now) / .milliseconds(1)).rounded(.up)
      var descriptor = pollfd(fd: network, events: networkEvents | Int16(POLLIN), revents: 0)
      _ = poll(&descriptor, 1, Int32(max(0, time)))
    }
  }
}
