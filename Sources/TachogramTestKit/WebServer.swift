import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A small web server on a free port of loopback, for testing the requests that this package sends. Each connection has one
/// request and its own thread.
package final class WebServer: Sendable {
  package struct Request: Hashable, Sendable {
    package let method: String
    package let path: String
    /// The header values, by name in lower case.
    package let headers: [String: String]
    package let body: [UInt8]
  }

  package struct Response: Sendable {
    package var status: Int
    package var headers: [String: String]
    package var body: [UInt8]

    package init(_ status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
      self.status = status
      self.headers = headers
      self.body = body
    }
  }

  private struct State {
    var received: [Request] = []
    /// The connections left unanswered.
    var held: [Int32] = []
    var hasStopped = false
  }

  package let port: Int
  private let descriptor: Int32
  private let state = Mutex(State())
  private let answer: @Sendable (Request) -> Response?

  /// Starts the server. A request for which `answer` returns `nil` is never answered.
  package init(_ answer: @escaping @Sendable (Request) -> Response?) throws {
    self.answer = answer
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)
    #endif
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && listen(descriptor, 64) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    guard isListening else {
      close(descriptor)
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { self.accept() }
  }

  package var base: String { "http://127.0.0.1:\(port)" }

  /// The requests received so far.
  package var received: [Request] { state.withLock { $0.received } }

  /// Closes the port and all unanswered connections.
  package func stop() {
    let held = state.withLock { state in
      state.hasStopped = true
      defer { state.held = [] }
      return state.held
    }
    shutdown(descriptor, Int32(SHUT_RDWR))
    for connection in held { close(connection) }
  }

  private func accept() {
    while true {
      #if canImport(Glibc)
        let connection = Glibc.accept(descriptor, nil, nil)
      #else
        let connection = Musl.accept(descriptor, nil, nil)
      #endif
      if connection < 0, errno == EINTR { continue }
      guard connection >= 0 else {
        close(descriptor)
        return
      }
      Thread.detachNewThread { self.serve(connection) }
    }
  }

  private func serve(_ connection: Int32) {
    guard let request = Self.read(connection) else {
      close(connection)
      return
    }
    state.withLock { $0.received.append(request) }
    if let response = answer(request) {
      Self.write(response, to: connection)
      close(connection)
    } else {
      let isHeld = state.withLock { state in
        if !state.hasStopped { state.held.append(connection) }
        return !state.hasStopped
      }
      if !isHeld { close(connection) }
    }
  }

  private static func read(_ connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var head: Request?
    while true {
      if head == nil, let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        head = Self.head(bytes[..<end.lowerBound])
        bytes.removeSubrange(..<end.upperBound)
        if head == nil { return nil }
      }
      if let head, bytes.count >= head.headers["content-length"].flatMap({ Int($0) }) ?? 0 {
        return Request(method: head.method, path: head.path, headers: head.headers, body: bytes)
      }
      var piece = [UInt8](repeating: 0, count: 64 << 10)
      let count = recv(connection, &piece, piece.count, 0)
      guard count > 0 else { return nil }
      bytes += piece[..<count]
      // No method begins with such a byte. TLS, for example, does.
      guard head != nil || bytes[0] >= UInt8(ascii: "A") else { return nil }
    }
  }

  private static func head(_ bytes: ArraySlice<UInt8>) -> Request? {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    let first = lines.first?.split(separator: " ") ?? []
    guard first.count == 3 else { return nil }
    let fields = lines.dropFirst().compactMap { line -> (String, String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (line[..<colon].lowercased(), String(line[line.index(after: colon)...].drop { $0 == " " }))
    }
    return Request(
      method: String(first[0]), path: String(first[1]), headers: Dictionary(fields) { first, _ in first }, body: [])
  }

  private static func write(_ response: Response, to connection: Int32) {
    var head = "HTTP/1.1 \(response.status) -\r\nConnection: close\r\n"
    if response.status != 204 { head += "Content-Length: \(response.body.count)\r\n" }
    for (name, value) in response.headers { head += "\(name): \(value)\r\n" }
    let bytes = Array((head + "\r\n").utf8) + response.body
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      sent += count
    }
  }
}
