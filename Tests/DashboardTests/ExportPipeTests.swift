import Dispatch
import NIOCore
import Synchronization
import Testing

@testable import Dashboard

@Suite("Export pipe")
struct ExportPipeTests {
  private static let whole = 100

  @Test func testPieces_ComeInOrderAndAreAll() async throws {
    let pieces = ExportPipe.pieces { write in
      for number in 0..<Self.whole { try write([UInt8(number)]) }
    }
    var taken: [UInt8] = []
    for try await piece in pieces { taken += piece.readableBytesView }
    #expect(taken == (0..<Self.whole).map { UInt8($0) })
  }

  /// The thread of its writer is free again, however much is left; and the answer does not look whole.
  @Test func testReaderThatTakesNothing_IsGivenUp() async throws {
    let (ended, end) = AsyncStream.makeStream(of: Int.self)
    let pieces = ExportPipe.pieces(timeout: .milliseconds(1)) { write in
      let written = Mutex(0)
      defer {
        end.yield(written.withLock { $0 })
        end.finish()
      }
      for number in 0..<Self.whole {
        try write([UInt8(number)])
        written.withLock { $0 += 1 }
      }
    }
    for await written in ended { #expect(written < Self.whole) }
    await #expect(throws: ExportPipe.Abandoned.self) {
      for try await _ in pieces {}
    }
  }

  @Test func testReaderThatGoesAway_EndsTheWriter() async throws {
    let (ended, end) = AsyncStream.makeStream(of: Never.self)
    let reading = Task {
      let pieces = ExportPipe.pieces { write in
        defer { end.finish() }
        while true { try write([0]) }
      }
      for try await _ in pieces { break }
    }
    try await reading.value
    for await _ in ended {}
  }
}
