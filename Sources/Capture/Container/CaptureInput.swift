/// A file that is read forward through a buffer, whose size does not depend on that of the file.
package struct CaptureInput: ~Copyable {
  /// The number of bytes that are read at a time.
  package static let chunk = 1 << 18

  private let file: InputFile
  /// The bytes that were read; those in `window` are not yet consumed.
  package private(set) var buffer: [UInt8]
  package private(set) var window = 0..<0
  private var isAtEnd = false
  /// The number of bytes from the start of the file to the read position.
  package private(set) var offset: UInt64 = 0
  /// The size of the file in bytes, or `nil` for a pipe.
  let fileSize: UInt64?

  /// Opens a file that is read `chunk` bytes at a time, or twice as many as are requested at once.
  package init(_ file: InputFile, chunk: Int = Self.chunk) throws(CaptureError) {
    fileSize = try file.openedSize()
    self.file = file
    buffer = Array(repeating: 0, count: Int(min(UInt64(max(1, chunk)), max(1, fileSize ?? .max))))
  }

  /// Makes at least `count` bytes available. Returns `false` if the file has fewer left.
  @inline(__always)
  package mutating func fill(_ count: Int) throws(CaptureError) -> Bool {
    window.count >= count ? true : try refill(count)
  }

  /// Advances the read position by at most `count` of the available bytes.
  @inline(__always)
  package mutating func skip(_ count: Int) {
    let step = min(count, window.count)
    window = (window.lowerBound + step)..<window.upperBound
    offset += UInt64(step)
  }

  /// The number of bytes from the read position to the end. A growing file is read to its end at the time of opening.
  private var remaining: UInt64 {
    fileSize.map { $0 > offset ? $0 - offset : 0 } ?? .max
  }

  @inline(never)
  private mutating func refill(_ count: Int) throws(CaptureError) -> Bool {
    let wanted = Int(min(UInt64(count), remaining))
    while window.count < wanted, !isAtEnd {
      makeRoom(for: wanted)
      try readMore()
    }
    return window.count >= count
  }

  /// Moves the remaining bytes to the front. The buffer holds twice the requested size, so that the moved bytes never exceed
  /// those read next.
  private mutating func makeRoom(for count: Int) {
    if buffer.count < 2 * count { buffer += repeatElement(0, count: 2 * count - buffer.count) }
    guard window.lowerBound > 0 else { return }
    let left = window
    buffer.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[left])) }
    window = 0..<left.count
  }

  private mutating func readMore() throws(CaptureError) {
    let count = try file.read(at: offset + UInt64(window.count), into: &buffer, from: window.upperBound)
    if count == 0 { isAtEnd = true }
    window = window.lowerBound..<(window.upperBound + count)
  }
}
