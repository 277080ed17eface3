import Glibc
import Testing

@testable import BluetoothKernel

/// The kernel's end of a socket whose other end the code under test has: the test is the kernel.
final class KernelEnd: Sendable {
  /// The end for the code under test, which closes it.
  let program: Int32
  private let kernel: Int32
  private let received: AsyncStream<[UInt8]>

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
    (kernel, program) = (ends[0], ends[1])
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    received = stream
    try Self.read(kernel, into: continuation)
  }

  deinit {
    end()
  }

  /// Ends the connection: the code under test reads what is there and then the end.
  func end() {
    shutdown(kernel, Int32(SHUT_RDWR))
  }

  /// Sends a datagram to the code under test.
  func send(_ bytes: [UInt8]) {
    _ = Glibc.send(kernel, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  func send(_ packet: ManagementPacket) throws {
    send(try packet.encoded())
  }

  /// The next datagram that the code under test sent.
  func receive() async throws -> ManagementPacket {
    try ManagementPacket(decoding: #require(await received.first { _ in true }))
  }

  /// Reads on a thread of its own, so that no thread of the tests is held up; it closes the end when it is over.
  private static func read(_ kernel: Int32, into continuation: AsyncStream<[UInt8]>.Continuation) throws {
    let box = Unmanaged.passRetained(Reader(kernel: kernel, continuation: continuation))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Reader>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    try #require(code == 0)
    pthread_detach(thread)
  }

  private final class Reader: Sendable {
    let kernel: Int32
    let continuation: AsyncStream<[UInt8]>.Continuation

    init(kernel: Int32, continuation: AsyncStream<[UInt8]>.Continuation) {
      self.kernel = kernel
      self.continuation = continuation
    }

    func run() {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = recv(kernel, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        continuation.yield(Array(buffer.prefix(count)))
      }
      continuation.finish()
    }
  }
}
