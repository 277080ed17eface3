import Capture
import CommandProcess

/// The bytes of a file in order, read in pieces of 256 KiB.
struct FileBytes {
  private static let size = 1 << 18

  private let file: InputFile
  private var piece: [UInt8] = []
  private var position = 0
  /// The offset of the first byte of the piece.
  private var base: UInt64 = 0
  /// The line of the last byte, counted from 1.
  private(set) var line = 1

  init(_ file: InputFile) { self.file = file }

  /// The offset of the next byte.
  var offset: UInt64 { base + UInt64(position) }

  /// Returns the next byte, or `nil` at the end. Throws `CaptureError` if the file cannot be read, and a failure if the user has
  /// requested the end.
  mutating func next() throws -> UInt8? {
    if position == piece.count, try !fill() { return nil }
    let byte = piece[position]
    position += 1
    if byte == 0x0A { line += 1 }
    return byte
  }

  /// Moves behind the next byte with a value. Returns whether there is one.
  mutating func skip(to value: UInt8) throws -> Bool {
    while let byte = try next() { if byte == value { return true } }
    return false
  }

  private mutating func fill() throws -> Bool {
    if Interrupt.isRequested { throw CommandFailure("stopped by the user", code: .interrupted) }
    base += UInt64(piece.count)
    position = 0
    piece = [UInt8](repeating: 0, count: Self.size)
    let count = try piece.withUnsafeMutableBytes { try file.read(at: base, into: $0) }
    piece.removeLast(Self.size - count)
    return count > 0
  }
}
