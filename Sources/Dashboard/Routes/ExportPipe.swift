import Dispatch
import NIOCore
import Synchronization

/// Turns what a blocking writer writes into a sequence: the writer waits on a thread of its own until a piece was taken, so
/// that a slow browser holds a few pieces and not a file. One that takes none at all is given up, and with it the thread.
enum ExportPipe {
  /// The browser has gone, or takes nothing.
  struct Abandoned: Error {}

  private static let waiting = 4

  /// What `body` writes, piece by piece; `timeout` is the longest that it waits for one to be taken.
  static func pieces(
    timeout: DispatchTimeInterval = .seconds(60),
    _ body: @escaping @Sendable (_ write: ([UInt8]) throws -> Void) throws -> Void
  ) -> Pieces {
    // It may not be destroyed with less room than it began with.
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
