import CQRCode

/// A QR code (ISO/IEC 18004) of a text, by libqrencode.
package struct QRCode: Hashable, Sendable {
  /// The light border that scanners need, in modules.
  private static let border = 4

  /// The number of modules on a side, without the border.
  package let size: Int
  /// Whether each module is dark, row by row.
  private let modules: [Bool]

  /// Encodes a text as bytes. Returns `nil` if it is too long.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let code = QRcode_encodeData(Int32(clamping: bytes.count), bytes, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    size = Int(code.pointee.width)
    let data = UnsafeBufferPointer(start: code.pointee.data, count: size * size)
    // The lowest bit of a module is its colour.
    modules = data.map { $0 & 1 == 1 }
  }

  /// Whether the module is dark. Modules outside the code are light.
  package func isDark(_ row: Int, _ column: Int) -> Bool {
    (0..<size).contains(row) && (0..<size).contains(column) && modules[row * size + column]
  }

  /// Returns the code for a terminal, one line for two rows of modules. With `colour`, it is dark on light on every terminal;
  /// otherwise it is for terminals with light text on a dark background.
  package func lines(colour: Bool) -> [String] {
    let range = -Self.border..<size + Self.border
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
      let text = range.map { column -> Character in
        // A light module is drawn, as the text is light on a dark background.
        switch (isDark(row, column), isDark(row + 1, column)) {
        case (false, false): "█"
        case (false, true): "▀"
        case (true, false): "▄"
        case (true, true): " "
        }
      }
      return colour ? "\u{1B}[97;40m\(String(text))\u{1B}[0m" : String(text)
    }
  }
}
