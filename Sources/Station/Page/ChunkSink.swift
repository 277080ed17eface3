import CommandProcess

/// Passes on an export in pieces.
final class ChunkSink: ByteSink {
  private static let size = 1 << 16

  private let take: ([UInt8]) throws -> Void
  private var piece: [UInt8] = []

  init(_ take: @escaping ([UInt8]) throws -> Void) {
    self.take = take
  }

  func write(_ bytes: [UInt8]) throws {
    piece += bytes
    if piece.count >= Self.size { try finish() }
  }

  /// Passes on the remaining bytes.
  func finish() throws {
    if piece.isEmpty { return }
    try take(piece)
    piece.removeAll(keepingCapacity: true)
  }
}
