/// Cuts bytes into lines at LF, CR or CRLF. A line that is longer than any number is cut off, so that a file without line
/// ends cannot fill the memory.
struct LineCollector {
  private static let longestLine = 4096

  private var current: [UInt8] = []
  private var isCut = false
  private var lastWasReturn = false

  /// Takes bytes, and calls `body` with every line that they end and whether it is the whole line.
  mutating func append(_ bytes: Span<UInt8>, _ body: (ArraySlice<UInt8>, _ isWhole: Bool) -> Void) {
    for index in 0..<bytes.count {
      let byte = bytes[index]
      if byte == 0x0A || byte == 0x0D {
        if byte == 0x0D || !lastWasReturn { endLine(body) }
      } else if current.count < Self.longestLine {
        current.append(byte)
      } else {
        isCut = true
      }
      lastWasReturn = byte == 0x0D
    }
  }

  /// Ends the last line, which may have no line end.
  mutating func finish(_ body: (ArraySlice<UInt8>, _ isWhole: Bool) -> Void) {
    if !current.isEmpty { endLine(body) }
  }

  private mutating func endLine(_ body: (ArraySlice<UInt8>, _ isWhole: Bool) -> Void) {
    body(current[...], !isCut)
    current.removeAll(keepingCapacity: true)
    isCut = false
  }
}
