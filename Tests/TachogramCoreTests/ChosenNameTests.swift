import TachogramCore
import Testing

struct ChosenNameTests {
  @Test(arguments: [
    ("Anna", "Anna"), (" Anna\n", "Anna"), ("\u{FEFF}Anna\u{200B} ", "Anna"), ("Anna Maria", "Anna Maria"),
    ("Ünal 心", "Ünal 心"), ("👩\u{200D}💻", "👩\u{200D}💻"), ("❤\u{FE0F}", "❤\u{FE0F}"),
    ("می\u{200C}خواهم", "می\u{200C}خواهم"),
    ("-", "-"), (String(repeating: "é", count: 100), String(repeating: "é", count: 100)),
  ])
  func testName_IsKeptWithoutBlanksAtItsEnds(text: String, name: String) throws {
    #expect(try ChosenName(text).text == name)
    #expect(ChosenName.isName(name))
    #expect(ChosenName.isName(text) == (text == name))
    #expect(ChosenName.shown(text) == name)
  }

  @Test(arguments: [
    ("A\u{1B}[2J", "A?[2J"), ("a\nb\u{202E}c", "a?b?c"), (" \u{0}\t", "?"), ("\u{200D}\u{FE0F}", ""), ("", ""),
    (String(repeating: "x", count: 99) + " yz", String(repeating: "x", count: 99)),
    ("e" + String(repeating: "\u{301}", count: 50) + "f", "e" + String(repeating: "\u{301}", count: 8) + "f"),
    ("\u{1112}\u{1161}\u{11AB}", "\u{1112}\u{1161}\u{11AB}"), ("🇩🇪 🏃🏽", "🇩🇪 🏃🏽"),
  ])
  func testNameOfADevice_IsShownWithoutWhatControls(text: String, shown: String) {
    #expect(Array(ChosenName.shown(text).unicodeScalars) == Array(shown.unicodeScalars))
    #expect(shown.isEmpty || ChosenName.isName(shown))
  }

  @Test(arguments: [
    ("", ChosenNameError.invisible), (" \t\n", .invisible), ("\u{200B}", .invisible), ("\u{200D}\u{FE0F}", .invisible),
    ("\u{301}", .invisible), ("\u{3164}", .invisible), ("\u{2800}", .invisible), ("\u{AD}\u{2060}\u{FEFF}", .invisible),
    ("A\u{1B}[2J", .forbidden("\u{1B}")), ("\u{0}", .forbidden("\u{0}")), ("a\nb", .forbidden("\n")),
    ("a\tb", .forbidden("\t")), ("\u{9B}31m", .forbidden("\u{9B}")), ("a\u{7F}", .forbidden("\u{7F}")),
    ("a\u{202E}b", .forbidden("\u{202E}")), ("\u{2066}a", .forbidden("\u{2066}")),
    ("a\u{2028}b", .forbidden("\u{2028}")), (String(repeating: "x", count: 101), .tooLong(characters: 101)),
    ("e" + String(repeating: "\u{301}", count: 500), .tooLong(characters: 501)),
  ])
  func testOtherText_IsRefused(text: String, error: ChosenNameError) {
    #expect(throws: error) { try ChosenName(text) }
    #expect(!ChosenName.isName(text))
  }
}
