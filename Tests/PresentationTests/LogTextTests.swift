import TachogramCore
import Testing

@testable import Presentation

/// No address goes into a log, in whichever way it is written.
struct LogTextTests {
  @Test(arguments: [
    ("C8:DE:AD:BE:EF:01", "…:01"), ("c8-de-ad-be-ef-0a", "…:0A"),
    ("/org/bluez/hci0/dev_C8_DE_AD_BE_EF_01/service0010", "/org/bluez/hci0/dev_…:01/service0010"),
    ("/api/v1/straps/C8%3ADE%3aAD%3ABE%3AEF%3A01", "/api/v1/straps/…:01"),
    ("strap C8:DE:AD:BE:EF:01, not D0:5A:00:00:00:02.", "strap …:01, not …:02."),
    ("00:01:02:03:04:05:06:07", "…:05:06:07"), ("bC8:DE:AD:BE:EF:01f", "b…:01f"),
  ])
  func testAddress_IsShortened(text: String, expected: String) {
    #expect(LogText.safe(text) == expected)
  }

  @Test(arguments: [
    "", "recording ended", "2023-11-14T22:13:20.123Z", "C8:DE:AD:BE:EF", "C8:DE:AD:BE:EF:1", "C8.DE.AD.BE.EF.01",
    "0000180d-0000-1000-8000-00805f9b34fb", "naïve ✓ 心",
  ])
  func testOtherText_StaysAsItIs(text: String) {
    #expect(LogText.safe(text) == text)
  }

  @Test func testControls_AreLeftOut() {
    #expect(LogText.safe("a\u{1B}[31mb\nC8:DE:AD:\u{0}BE:EF:01") == "a[31mb…:01")
  }

  @Test func testShortForm_IsTheLastByte() {
    #expect(BluetoothAddress(value: 0xC8DE_ADBE_EF01, kind: .random).shortForm == "…:01")
  }
}
