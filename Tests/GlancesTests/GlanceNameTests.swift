import TachogramCore
import Testing

@testable import Glances

struct GlanceNameTests {
  @Test(arguments: [
    ("  Anna \t Meier\n", "Anna Meier"), ("a\u{1B}[31mb", "a[31mb"), ("\u{202E}abc\u{2069}", "abc"),
    ("e\u{301}\u{302}\u{303}\u{304}", "e\u{301}\u{302}"), ("\u{301}x", "x"), ("שרה", "שרה"), ("漢字", "漢字"),
    ("a\u{200B}\u{AD}b", "ab"),
  ])
  func testName_IsCleaned(name: String, cleaned: String) throws {
    #expect(Array(try #require(GlanceName(name)).text.unicodeScalars) == Array(cleaned.unicodeScalars))
  }

  @Test(arguments: ["", " ", "\u{0}\u{7}", "\u{200B}\u{2800}\u{3164}", "\u{E000}", "\u{FFFE}"])
  func testInvisibleName_IsNone(_ name: String) {
    #expect(GlanceName(name) == nil)
  }

  @Test func testLongName_IsShortenedWithAnEllipsis() throws {
    // Given
    let name = try #require(GlanceName("Anna-Katharina Mustermann"))
    // When
    let short = name.shortened(to: 90, size: 12)
    // Then
    #expect(short.hasSuffix("…") && name.text.hasPrefix(short.dropLast()))
    #expect(TextWidth.of(short, size: 12, isBold: true) <= 90)
    #expect(TextWidth.of(short, size: 12, isBold: true) > 70)
    #expect(name.shortened(to: 1000, size: 12) == name.text)
  }

  @Test func testShortenedName_KeepsWholeCharacters() throws {
    let name = try #require(GlanceName(String(repeating: "e\u{301}\u{302}", count: 60)))
    let short = name.shortened(to: 100, size: 12)
    #expect(short.dropLast().allSatisfy { $0 == "e\u{301}\u{302}" })
  }

  @Test(arguments: [
    ("Anna (H10)", "Anna (H10)"), ("#(reboot)", "(reboot)"), ("%{A1:x:}y", "A1:x: y"), ("👍", nil), ("R&B", "R B"),
    ("Polar H10 0123456789 ABCDEF", "Polar H10 0123456789..."),
  ])
  func testPlainName_HasOnlyHarmlessCharacters(name: String, plain: String?) throws {
    #expect(try #require(GlanceName(name)).plain == plain)
  }
}
