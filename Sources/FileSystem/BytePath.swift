/// The path of a file as the system stores it: bytes without a zero, which need not be UTF-8. Files of older systems may have
/// names in Latin-1.
package struct BytePath: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(_ text: String) {
    bytes = Array(text.utf8)
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the path of the file `name` in this folder.
  package func appending(_ name: [UInt8]) -> BytePath {
    BytePath(bytes: (bytes.last == UInt8(ascii: "/") ? bytes : bytes + [UInt8(ascii: "/")]) + name)
  }

  /// For calls of the system.
  package var cString: [CChar] { bytes.map(CChar.init(bitPattern:)) + [0] }

  /// Returns bytes as readable text. Bytes that are not UTF-8 are written as in `m\xFCller.txt`, which shells accept in `$'…'`.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    var (text, rest) = ("", Array(bytes)[...])
    var parser = Unicode.UTF8.ForwardParser()
    var source = rest.makeIterator()
    while true {
      switch parser.parseScalar(from: &source) {
      case .valid(let encoded):
        text.unicodeScalars.append(Unicode.UTF8.decode(encoded))
        rest = rest.dropFirst(encoded.count)
      case .error(let length):
        for byte in rest.prefix(length) {
          text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        rest = rest.dropFirst(length)
      case .emptyInput: return text
      }
    }
  }
}

extension BytePath: CustomStringConvertible {
  package var description: String { Self.text(bytes) }
}
