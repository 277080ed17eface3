/// A string of Device Information, 0x2A24 … 0x2A29 (Device Information Service 1.1, 3), and the Device Name, 0x2A00:
/// UTF-8 without a terminator. Straps add one or more NUL none the less, and some leave bytes of a longer string behind
/// it; the string ends at the first NUL, and what follows is not read.
package struct DeviceInformationString: Hashable, Sendable {
  /// The text, without NUL; it may be empty.
  package let text: String

  /// The text up to its first NUL.
  package init(_ text: String) {
    self.text = String(text.unicodeScalars.prefix { $0.value != 0 })
  }
}

extension DeviceInformationString: GATTDecodable {
  /// Reads the bytes up to the first NUL or the end; none are an empty string.
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

  /// The length of the longest prefix of whole, valid characters.
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
