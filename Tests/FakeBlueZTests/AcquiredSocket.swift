import Dispatch
import Glibc
import Synchronization

/// The client's end of an acquired socket.
final class AcquiredSocket: Sendable {
  let mtu: UInt16
  private let descriptor: Mutex<Int32?>

  init(descriptor: Int32, mtu: UInt16) {
    self.mtu = mtu
    self.descriptor = Mutex(descriptor)
  }

  deinit { close() }

  func close() {
    descriptor.withLock { descriptor in
      if let open = descriptor { Glibc.close(open) }
      descriptor = nil
    }
  }

  /// Reads packets until the end of the stream, then closes.
  func readToEnd() async -> [[UInt8]] {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "acquired-socket").async {
        var packets: [[UInt8]] = []
        let descriptor = self.descriptor.withLock { $0 } ?? -1
        var buffer = [UInt8](repeating: 0, count: 1024)
        while true {
          var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
          guard poll(&entry, 1, 30_000) == 1 else { break }
          let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
          guard count > 0 else { break }
          packets.append(Array(buffer[0..<count]))
        }
        self.close()
        continuation.resume(returning: packets)
      }
    }
  }
}
