import Testing

@testable import Presentation

struct TerminalTextTests {
  @Test(arguments: [
    ("Polar H10", "Polar H10"), ("  Polar\u{A0}H10 ", "Polar H10"), ("", ""), (" \t ", "?"),
    // Clear the screen, set the title, a bell, the 8-bit form, DEL.
    ("\u{1B}[2JH10", "?[2JH10"), ("\u{1B}]0;x\u{07}", "?]0;x?"), ("\u{9B}31m", "?31m"), ("a\u{7F}b", "a?b"),
    ("a\r\nb", "a??b"), ("a\u{0}b", "a?b"), ("a\u{2028}b\u{85}c", "a?b?c"),
    // Right-to-left override, isolates: text that shows in another order than it has.
    ("\u{202E}01H", "?01H"), ("a\u{2066}b\u{2069}", "a?b?"), ("a\u{200E}b", "a?b"),
    // Piles of accents.
    ("e\u{301}\u{301}\u{301}\u{301}x", "e\u{301}\u{301}x"), ("\u{301}x", "x"),
    // Pictures: joined ones apart, without selectors and skin tones; flags as letters.
    ("👩\u{200D}💻", "👩💻"), ("❤\u{FE0F}", "❤"), ("👋🏽", "👋"), ("🇩🇪", "DE"), ("1\u{FE0F}\u{20E3}", "1\u{20E3}"),
    ("心率帯", "心率帯"), ("Brustgürtel", "Brustgürtel"), ("\u{E000}\u{10FFFF}", "??"), ("a\u{E0041}b", "ab"),
  ])
  func testName_IsMadeHarmless(name: String, shown: String) {
    #expect(TerminalText.safe(name) == shown)
  }

  @Test func testEveryScalar_LeavesNoControlCharacter() {
    for value in 0...UInt32(0x10FFFF) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      // Beyond the assigned planes, a sample does.
      if value > 0x20000, value % 97 != 0, value >> 8 != 0xE00 { continue }
      for safe in TerminalText.safe("a\(Character(scalar))").unicodeScalars {
        switch safe.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
          Issue.record("U+\(String(value, radix: 16)) leaves U+\(String(safe.value, radix: 16))")
        default: break
        }
      }
    }
  }

  @Test func testLongName_IsCutOff() {
    #expect(TerminalText.safe(String(repeating: "x", count: 100_000)).count == 256)
  }

  @Test func testTerminalWithoutUnicode_GetsASCII() {
    #expect(TerminalText.safe("心 Gürtel e\u{301}", unicode: false) == "? G?rtel ?")
  }

  @Test(arguments: [
    ("abc", 3), ("心率", 4), ("ﾊｰﾄ", 3), ("Ｈ１０", 6), ("é", 1), ("e\u{301}", 1), ("한국", 4), ("🫀", 2), ("♥●▂⣿×┊░", 7),
    ("", 0),
  ])
  func testText_HasWidthInColumns(text: String, columns: Int) {
    #expect(DisplayWidth.columns(text) == columns)
  }

  @Test func testClippingAtWideCharacter_LeavesItOutWhole() {
    let text = StyledText("心率帯", .good)
    #expect(text.clipped(to: 5).plain == "心率")
    #expect(text.fitted(to: 5).plain == "心率 ")
    #expect(text.clipped(to: 0).plain == "")
    #expect(text.clipped(to: -1).plain == "")
  }
}
