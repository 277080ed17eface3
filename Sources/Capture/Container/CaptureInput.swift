/// A file read forward through a buffer that stays small whatever the size of the file.
package struct CaptureInput: ~Copyable {
  /// Bytes that are read at a time.
  package static let chunk = 1 << 18

  private let file: InputFile
  /// What was read; the bytes in `window` are still to be taken.
  package private(set) var buffer: [UInt8]
  package private(set) var window = 0..<0
  private var isAtEnd = false
  /// Bytes from the start of the file to the read position.
  package private(set) var offset: UInt64 = 0
  /// Size of the file in bytes; `nil` when it is a pipe, of which the size is not known.
  let fileSize: UInt64?

  /// `chunk` bytes are read at a time, or twice as many as are asked for at once.
  package init(_ file: InputFile, chunk: Int = Self.chunk) throws(CaptureError) {
    fileSize = try file.openedSize()
    self.file = file
    buffer = Array(repeating: 0, count: Int(min(UInt64(max(1, chunk)), max(1, fileSize ?? .max))))
  }

  /// Makes at least `count` bytes available; `false` when the file has fewer left.
  @inline(__always)
  package mutating func fill(_ count: Int) throws(CaptureError) -> Bool {
    window.count >= count ? true : try refill(count)
  }

  /// Moves the read position by as many bytes as are available, `count` at most.
  @inline(__always)
  package mutating func skip(_ count: Int) {
    let step = min(count, window.count)
    window = (window.lowerBound + step)..<window.upperBound
    offset += UInt64(step)
  }

  /// Bytes that the file has from the read position on; a file that grows is read up to where it ended when it was
  /// opened.
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

  /// Moves what is left to the front. The buffer holds twice what is asked for, so that never more is moved than is
  /// read next, and the moves stay in proportion to the file.
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
