import GATT
import Testing

struct DeviceInformationStringTests {
  @Test(
    arguments: [
      ([], ""),
      ([0x00], ""),
      ([0x00, 0x41], ""),
      ([0x48, 0x31, 0x30], "H10"),
      ([0x48, 0x31, 0x30, 0x00], "H10"),
      ([0x48, 0x31, 0x30, 0x00, 0x00, 0x00], "H10"),
      // What is behind the NUL is not read, valid or not.
      ([0x48, 0x31, 0x00, 0xFF, 0x41], "H1"),
      ([0x20, 0x48, 0x20], " H "),
      ([0xC3, 0xA9], "é"),
      // A decomposed character stays decomposed.
      ([0x65, 0xCC, 0x81], "e\u{301}"),
      ([0xE5, 0xBF, 0x83], "心"),
      ([0xF0, 0x9F, 0xAB, 0x80], "\u{1FAC0}"),
      ([0xEF, 0xBB, 0xBF, 0x41], "\u{FEFF}A"),
    ] as [([UInt8], String)])
  func testValidBytes_DecodeToTheText(bytes: [UInt8], text: String) throws {
    let decoded = try DeviceInformationString.decode(bytes)
    #expect(Array(decoded.text.utf8) == Array(text.utf8))
    #expect(DeviceInformationString.encode(decoded) == Array(text.utf8))
    #expect(try DeviceInformationString.decode(DeviceInformationString.encode(decoded)) == decoded)
  }

  @Test(
    arguments: [
      ([0xFF], 0),
      ([0x80], 0),
      ([0x48, 0x31, 0x80], 2),
      // Cut off in the middle of a character.
      ([0x41, 0xC3], 1),
      ([0x41, 0xE5, 0xBF], 1),
      ([0x41, 0xC3, 0x00], 1),
      ([0xC3, 0xA9, 0xF0, 0x9F, 0xAB], 2),
      // Over-long, a surrogate, beyond U+10FFFF.
      ([0x41, 0xC0, 0x80], 1),
      ([0x41, 0x42, 0xED, 0xA0, 0x80], 2),
      ([0x41, 0xF4, 0x90, 0x80, 0x80], 1),
    ] as [([UInt8], Int)])
  func testInvalidBytes_ThrowTheFirstBadByte(bytes: [UInt8], offset: Int) {
    #expect(throws: GATTDecodingError.invalidUTF8(field: .text, offset: offset)) {
      try DeviceInformationString.decode(bytes)
    }
  }

  @Test func testSliceOfALargerBuffer_CountsFromTheValue() {
    let buffer: [UInt8] = [0xFF, 0xFF, 0x41, 0x80, 0xFF]
    #expect(throws: GATTDecodingError.invalidUTF8(field: .text, offset: 1)) {
      try DeviceInformationString.decode(buffer[2..<4])
    }
  }

  @Test func testTextWithNUL_EndsThere() {
    #expect(DeviceInformationString("H10\0 rest").text == "H10")
  }
}
