import GATT
import Testing

struct GATTDecodingErrorTests {
  @Test(
    arguments: [
      (.empty(field: .flags), "the value is empty: Flags is missing at byte 0"),
      (
        .truncated(field: .energyExpended, offset: 2, needed: 2, available: 1),
        "Energy Expended is cut off at byte 2: 1 of 2 byte(s) are there",
      ),
      (.oddRRByte(offset: 4), "RR-Interval is cut off at byte 4: 1 of 2 byte(s) are there"),
      (.trailingBytes(offset: 2, count: 3), "3 unexpected byte(s) after the last field, from byte 2"),
      (
        .reserved(field: .batteryLevel, value: 101, offset: 0), "Battery Level has the reserved value 101 at byte 0",
      ),
      (.invalidUTF8(field: .text, offset: 7), "Text is not valid UTF-8 at byte 7"),
      (
        .unsupported(field: .frameType, value: 3, offset: 9),
        "Frame Type has the value 3 at byte 9, which is not supported"
      ),
      (.tooLong(count: 513, limit: 512), "the value has 513 bytes; the limit is 512"),
    ] as [(GATTDecodingError, String)])
  func testError_NamesTheFieldAndTheByte(error: GATTDecodingError, wording: String) {
    #expect(String(describing: error) == wording)
  }

  @Test func testFields_HaveDistinctNames() {
    #expect(Set(GATTField.allCases.map(\.description)).count == GATTField.allCases.count)
  }
}
