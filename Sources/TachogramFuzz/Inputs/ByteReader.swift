/// A reader of bytes from the front of an input, for targets that interpret them.
struct ByteReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Reads the next byte, or 0 at the end.
  mutating func byte() -> UInt8 {
    rest.popFirst() ?? 0
  }

  /// Reads the next bytes, fewer at the end.
  mutating func read(_ count: Int) -> [UInt8] {
    let taken = Array(rest.prefix(count))
    rest = rest.dropFirst(count)
    return taken
  }
}
