/// The width of text in terminal columns (Unicode Standard Annex 11).
package enum DisplayWidth {
  /// The columns of one scalar: 0, 1 or 2.
  package static func columns(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x7F { return scalar.value < 0x20 ? 0 : 1 }
    // Box and block characters, signs and Braille: the characters of the live view are narrow, though some of their neighbours
    // are wide emoji.
    if (0x2500...0x25FC).contains(scalar.value) || (0x2800...0x28FF).contains(scalar.value) { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator, .surrogate: return 0
    default: return isWide(scalar) ? 2 : 1
    }
  }

  /// The columns of a text without control sequences.
  package static func columns(_ text: some StringProtocol) -> Int {
    // A fast path: most text is printable ASCII, and looking up character properties is expensive.
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
    return text.unicodeScalars.reduce(0) { $0 + columns($1) }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    if value < 0x1100 { return false }
    return scalar.properties.isEmojiPresentation || wideRanges.contains { $0.contains(value) }
  }

  /// The blocks whose East Asian Width is W or F, in order of frequency.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x3041...0x33FF, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x3400...0x4DBF,
    0x2E80...0x303E, 0xF900...0xFAFF, 0x1100...0x115F, 0xA000...0xA4C6, 0xA960...0xA97C, 0xFE10...0xFE19,
    0xFE30...0xFE6B, 0x2329...0x232A, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D376, 0x1F200...0x1F265,
    0x20000...0x3FFFD,
  ]
}
