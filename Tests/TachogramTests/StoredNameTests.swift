import Foundation
import Presentation
import TachogramCore
import TachogramTestKit
import Testing

/// Names that commands store, and what becomes of those of earlier versions.
struct StoredNameTests {
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
