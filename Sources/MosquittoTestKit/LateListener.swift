import Dispatch
import Glibc

/// A TCP listener that connects late, as one far away does: the kernel drops the first packet of a client, which repeats it after
/// about a second. On this machine alone every other connection is complete before `connect` returns.
package final class LateListener: Sendable {
  /// The port of the listener on 127.0.0.1.
  package let port: Int
  private let listener: Int32
  /// A connection that fills the queue of the listener.
  private let filler: Int32

  package init() throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    port = try FreePort.bind(listener)
    guard listen(listener, 0) == 0 else { throw MosquittoFailure(description: "no listener") }
    filler = try Self.connected(to: port)
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    close(filler)
  }

  /// Whether a client has called, and waits.
  package var isCalled: Bool {
    guard let file = fopen("/proc/self/net/tcp", "r") else { return false }
    defer { fclose(file) }
    let digits = String(port, radix: 16, uppercase: true)
    let address = "0100007F:" + String(repeating: "0", count: 4 - digits.count) + digits
    var line = [CChar](repeating: 0, count: 512)
    while fgets(&line, Int32(line.count), file) != nil {
      let fields = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }.split(separator: UInt8(ascii: " "))
      // Number, own address, the other's address, and the state: 02 is SYN_SENT.
      guard fields.count > 3, fields[2].elementsEqual(address.utf8) else { continue }
      if fields[3].elementsEqual("02".utf8) { return true }
    }
    return false
  }

  /// Makes room for the next client, and connects it to `broker`, a port of this machine, or lets it wait for an answer.
  package func open(relayingTo broker: Int?) {
    let listener = listener
    DispatchQueue(label: "late-listener").async {
      let first = accept(listener, nil, nil)
      let client = accept(listener, nil, nil)
      if let broker, client >= 0, let other = try? Self.connected(to: broker) {
        Self.relay(client, other)
        close(other)
      } else {
        // Reads until the client gives up.
        var buffer = [UInt8](repeating: 0, count: 4096)
        while recv(client, &buffer, buffer.count, 0) > 0 {}
      }
      for socket in [first, client] where socket >= 0 { close(socket) }
    }
  }

  /// Copies from each of two connections to the other until one ends.
  private static func relay(_ one: Int32, _ other: Int32) {
    var descriptors = [one, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while poll(&descriptors, 2, -1) > 0 {
      for (source, target) in [(0, 1), (1, 0)] where descriptors[source].revents != 0 {
        let count = recv(descriptors[source].fd, &buffer, buffer.count, 0)
        guard count > 0 else { return }
        guard Glibc.send(descriptors[target].fd, buffer, count, Int32(MSG_NOSIGNAL)) == count else { return }
      }
    }
  }

  private static func connected(to port: Int) throws -> Int32 {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard LoopbackAddress.with(port: port, { Glibc.connect(socket, $0, $1) == 0 }).isDone else {
      close(socket)
      throw MosquittoFailure(description: "no connection to port \(port)")
    }
    return socket
  }
}
