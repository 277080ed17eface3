import Dispatch
import NIOCore
import Synchronization

/// Converts the output of a blocking writer to an asynchronous sequence. The writer waits on a separate thread until a piece is
/// read, so that only a few pieces of the file are in memory for a slow browser. If a browser reads nothing, the export and its
/// thread are ended.
enum ExportPipe {
  /// The browser has disconnected, or reads nothing.
  struct Abandoned: Error {}

  private static let waiting = 4

  /// Returns the pieces that `body` writes. `timeout` is the maximum time that it waits for a piece to be read.
  static func pieces(
    timeout: DispatchTimeInterval = .seconds(60),
    _ body: @escaping @Sendable (_ write: ([UInt8]) throws -> Void) throws -> Void
  ) -> Pieces {
    // A semaphore must not be destroyed with a value below its initial one.
    let room = DispatchSemaphore(value: 0)
    for _ in 0..<waiting { room.signal() }
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: ByteBuffer.self)
    let pieces = Pieces(stream: stream, room: room)
    let flag = Flag()
    continuation.onTermination = { _ in
      flag.isSet.store(true, ordering: .relaxed)
      room.signal()
    }
    DispatchQueue.global(qos: .utility).async {
      do {
        try body { bytes in
          guard room.wait(timeout: .now() + timeout) == .success, !flag.isSet.load(ordering: .relaxed) else {
            throw Abandoned()
          }
          continuation.yield(ByteBuffer(bytes: bytes))
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    return pieces
  }

  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }

  struct Pieces: AsyncSequence {
    fileprivate let stream: AsyncThrowingStream<ByteBuffer, any Error>
    fileprivate let room: DispatchSemaphore

    func makeAsyncIterator() -> Iterator {
      Iterator(inner: stream.makeAsyncIterator(), room: room)
    }

    struct Iterator: AsyncIteratorProtocol {
      fileprivate var inner: AsyncThrowingStream<ByteBuffer, any Error>.Iterator
      fileprivate let room: DispatchSemaphore

      mutating func next() async throws -> ByteBuffer? {
        let piece = try await inner.next()
        room.signal()
        return piece
      }
    }
  }
}
