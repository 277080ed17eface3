import TachogramCore
import Testing

struct BluetoothAddressTests {
  @Test(arguments: ["C8:DE:AD:BE:EF:01", "c8-de-ad-be-ef-01", "c8:DE:ad:BE:ef:01"])
  func testText_ComesBackInOneForm(text: String) throws {
    let address = try #require(BluetoothAddress(text: text, kind: .random))
    #expect(address.description == "C8:DE:AD:BE:EF:01")
    #expect(address.littleEndianBytes == [0x01, 0xEF, 0xBE, 0xAD, 0xDE, 0xC8])
    #expect(BluetoothAddress(littleEndian: address.littleEndianBytes, kind: .random) == address)
    #expect(address.shortForm == "…:01")
  }

  @Test(arguments: [
    "", "C8:DE:AD:BE:EF", "C8:DE:AD:BE:EF:01:02", "C8:DE:AD:BE:EF:1", "C8:DE:AD:BE:EF:+1", "C8DEADBEEF01",
    "G8:DE:AD:BE:EF:01", " C8:DE:AD:BE:EF:01",
  ])
  func testOtherText_IsNoAddress(text: String) {
    #expect(BluetoothAddress(text: text) == nil)
  }

  @Test(arguments: [0, 5, 7])
  func testOtherNumberOfBytes_IsNoAddress(count: Int) {
    #expect(BluetoothAddress(littleEndian: [UInt8](repeating: 1, count: count), kind: .public) == nil)
  }

  /// A resolvable address begins with the bits 01, one that cannot be resolved with 00, a static one with 11.
  @Test(arguments: [
    ("C8:DE:AD:BE:EF:01", BluetoothAddress.Kind.random, true), ("48:DE:AD:BE:EF:01", .random, false),
    ("08:DE:AD:BE:EF:01", .random, false), ("48:DE:AD:BE:EF:01", .public, true),
  ])
  func testAddressThatIsKept_IsKnownByItsHighestBits(text: String, kind: BluetoothAddress.Kind, lasts: Bool) throws {
    #expect(try #require(BluetoothAddress(text: text, kind: kind)).isLasting == lasts)
  }

  @Test func testAddressOfZero_IsUnknown() {
    #expect(!BluetoothAddress.unknown.isKnown)
    #expect(BluetoothAddress(text: "00:00:00:00:00:01")?.isKnown == true)
  }
}
