/// A string of Device Information, 0x2A24 … 0x2A29 (Device Information Service 1.1, 3), and the Device Name, 0x2A00: UTF-8
/// without a terminator. Some straps nevertheless append one or more NULs, and some leave bytes of a longer string after it.
/// The string ends at the first NUL; the bytes after it are ignored.
package struct DeviceInformationString: Hashable, Sendable {
  /// The text, without NUL; it may be empty.
  package let text: String

  /// Creates a string from the text up to its first NUL.
  package init(_ text: String) {
    self.text = String(text.unicodeScalars.prefix { $0.value != 0 })
  }
}

extension DeviceInformationString: GATTDecodable {
  /// Reads the bytes up to the first NUL or the end. No bytes are an empty string.
  package static func decode(_ bytes: ArraySlice<UInt8>) throws(GATTDecodingError) -> DeviceInformationString {
    let content = bytes.prefix { $0 != 0 }
    guard let text = String(validating: content, as: UTF8.self) else {
      throw .invalidUTF8(field: .text, offset: validLength(of: content))
    }
    return DeviceInformationString(text)
  }

  /// Writes the text without a terminator.
  package static func encode(_ string: DeviceInformationString) -> [UInt8] {
    Array(string.text.utf8)
  }

  /// Returns the length in bytes of the longest prefix of complete, valid characters.
  private static func validLength(of bytes: ArraySlice<UInt8>) -> Int {
    var length = 0
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      length += UTF8.width(scalar)
    }
    return length
  }
}
