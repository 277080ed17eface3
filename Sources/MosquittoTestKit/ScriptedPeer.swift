import Dispatch
import Glibc
import Synchronization

/// A TCP server that treats each connection in one prescribed way.
package final class ScriptedPeer: Sendable {
  /// What happens to each connection.
  package enum Behaviour: Sendable {
    /// Never accepts a connection: the kernel completes it, and nobody answers.
    case silent
    /// Accepts each connection and closes it.
    case closing
    /// Sends `bytes` after the client's first packet, repeats the last `repeated` of them up to `total` bytes, and then waits.
    case sending(bytes: [UInt8], repeated: Int = 0, total: Int = 0)
    /// Sends one answer after each packet of the client, and then waits.
    case answering([[UInt8]])
  }

  /// The port of the listener on 127.0.0.1.
  package let port: Int
  private let listener: Int32
  private let accepted = Atomic(0)

  /// The number of connections so far.
  package var connections: Int { accepted.load(ordering: .relaxed) }

  package init(_ behaviour: Behaviour) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    port = try FreePort.bind(listener)
    guard listen(listener, 16) == 0 else { throw MosquittoFailure(description: "no listener") }
    if case .silent = behaviour { return }
    let listener = listener
    DispatchQueue(label: "scripted-peer").async { [weak self] in
      var connections: [Int32] = []
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        self?.accepted.add(1, ordering: .relaxed)
        switch behaviour {
        case .silent: break
        case .closing: close(connection)
        case .sending(let bytes, let repeated, let total):
          connections.append(connection)
          Self.send(connection, bytes, repeated, total)
        case .answering(let answers):
          connections.append(connection)
          for answer in answers { Self.send(connection, answer, 0, 0) }
        }
      }
      for connection in connections { close(connection) }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private static func send(_ connection: Int32, _ bytes: [UInt8], _ repeated: Int, _ total: Int) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    guard recv(connection, &buffer, buffer.count, 0) > 0 else { return }
    let flags = Int32(MSG_NOSIGNAL)
    guard Glibc.send(connection, bytes, bytes.count, flags) == bytes.count, repeated > 0 else { return }
    let block = Array(repeatElement(bytes.suffix(repeated), count: max(1, 65536 / repeated)).joined())
    var sent = bytes.count
    while sent < total {
      let count = Glibc.send(connection, block, min(block.count, total - sent), flags)
      guard count > 0 else { return }
      sent += count
    }
  }
}
