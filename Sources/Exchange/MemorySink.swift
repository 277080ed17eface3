import CommandProcess

/// An export in memory.
final class MemorySink: ByteSink {
  private(set) var bytes: [UInt8] = []

  func write(_ bytes: [UInt8]) throws { self.bytes += bytes }
}
