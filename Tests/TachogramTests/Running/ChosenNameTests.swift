import Foundation
import Presentation
import TachogramCore
import TachogramTestKit
import Testing

@testable import tachogram

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
    #expect(try NameOption.name(text) == name)
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

  @Test func testEveryCommandThatStoresAName_RefusesOthers() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/no-such-folder"
    let commands = [
      ["import", "x", "--person", "\u{200B}"], ["import", "x", "--label", "a\u{1B}b"],
      ["replay", "x", "--person", "\u{9B}"], ["record", "--label", "\u{202E}x"],
      ["straps", "rename", "x", "\u{1B}[2J"], ["straps", "assign", "x", "--person", " \u{2060}"],
      ["pair", "--name", "\u{7F}"],
    ]
    for command in commands {
      let store = ["import", "record", "straps", "pair"].contains(command[0]) ? ["--database", folder + "/x"] : []
      let result = try await Program.run(command + store)
      #expect(result.status == 2 && result.errors.contains("a name has "), "\(command): \(result.errors)")
      #expect(!result.errors.unicodeScalars.contains { $0 != "\n" && ChosenName.isDangerous($0) }, "\(command)")
    }
  }

  /// What was stored by earlier versions does not act on a terminal, as text or as JSON.
  @Test func testStoredControls_AreWrittenAsNumbersInJSON() throws {
    let name = "a\u{1B}b\u{9B}c\u{7F}d\u{202E}e\u{2028}f\u{200D}g"
    let text = try JSONOutput.line(["name": name])
    #expect(text.contains(#""a\u001bb\u009bc\u007fd\u202ee\u2028f"# + "\u{200D}g"), "\(text)")
    #expect(try JSONDecoder().decode([String: String].self, from: Data(text.utf8)) == ["name": name])
    #expect(TerminalText.printable("x\u{1B}[2J\n\ty \u{9B}ü") == "x?[2J\n\ty ?ü")
  }
}
