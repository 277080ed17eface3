/// Splits bytes into lines at LF, CR or CRLF. Long lines are truncated, so that a file without line ends cannot exhaust the
/// memory, and reading stops at an endless line.
struct LineCollector {
  /// A line without its line end.
  struct Line {
    /// The bytes of the line, at most `longestLine`.
    var bytes: ArraySlice<UInt8>
    /// The number of bytes before the line.
    var start: UInt64
    /// Whether `bytes` is the whole line.
    var isWhole: Bool
  }

  /// The number of bytes that are kept of a line.
  static let longestLine = 4096
  /// The length in bytes above which a line is considered endless: 1 MiB.
  static let endless: UInt64 = 1 << 20

  /// The start of an endless line, at which reading stops.
  private(set) var endlessStart: UInt64?
  private var current: [UInt8] = []
  private var isCut = false
  private var lastWasReturn = false
  /// The number of bytes before the line.
  private var start: UInt64 = 0
  /// The number of bytes before the ones that are being appended.
  private var position: UInt64 = 0

  /// Appends bytes, and calls `body` with every line that they complete.
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

  /// Ends the last line, which may lack a line end.
  mutating func finish(_ body: (Line) -> Void) {
    if !current.isEmpty, endlessStart == nil { endLine(body) }
  }

  private mutating func endLine(_ body: (Line) -> Void) {
    body(Line(bytes: current[...], start: start, isWhole: !isCut))
    current.removeAll(keepingCapacity: true)
    isCut = false
  }
}
