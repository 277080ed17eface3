/// Cuts bytes into lines at LF, CR or CRLF. A line that is longer than any number is cut off, so that a file without line
/// ends cannot fill the memory, and one that does not end is not waited for.
struct LineCollector {
  /// A line without its end.
  struct Line {
    /// Its bytes, `longestLine` of them at most.
    var bytes: ArraySlice<UInt8>
    /// How many bytes were before it.
    var start: UInt64
    /// Whether `bytes` are all of it.
    var isWhole: Bool
  }

  /// The bytes that are kept of a line.
  static let longestLine = 4096
  /// A line of more bytes is taken for one that does not end: 1 MiB.
  static let endless: UInt64 = 1 << 20

  /// Where a line begins that does not end; nothing more is read then.
  private(set) var endlessStart: UInt64?
  private var current: [UInt8] = []
  private var isCut = false
  private var lastWasReturn = false
  /// Bytes before the line.
  private var start: UInt64 = 0
  /// Bytes before those that are taken now.
  private var position: UInt64 = 0

  /// Takes bytes, and calls `body` with every line that they end.
  mutating func append(_ bytes: Span<UInt8>, _ body: (Line) -> Void) {
    guard endlessStart == nil else { return }
    for index in 0..<bytes.count {
      let byte = bytes[index]
      if byte == 0x0A || byte == 0x0D {
        if byte == 0x0D || !lastWasReturn { endLine(body) }
        start = position + UInt64(index) + 1
      } else if current.count < Self.longestLine {
        current.append(byte)
      } else {
        isCut = true
        if position + UInt64(index) - start >= Self.endless { return endlessStart = start }
      }
      lastWasReturn = byte == 0x0D
    }
    position += UInt64(bytes.count)
  }

  /// Ends the last line, which may have no line end.
  mutating func finish(_ body: (Line) -> Void) {
    if !current.isEmpty, endlessStart == nil { endLine(body) }
  }

  private mutating func endLine(_ body: (Line) -> Void) {
    body(Line(bytes: current[...], start: start, isWhole: !isCut))
    current.removeAll(keepingCapacity: true)
    isCut = false
  }
}
