import Foundation
import TachogramTestKit
import Testing

/// This program's own CSV, as a spreadsheet saves it again.
struct SpreadsheetExportTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  struct Spelling: Sendable, CustomTestStringConvertible {
    let name: String
    var separator = ";"
    var start = ""
    var end = "\r\n"
    var encoding = String.Encoding.utf8
    /// What a field is, with the number of its column.
    var field: @Sendable (Int, String) -> String = { $1 }
    /// What a row is below the headings.
    var row: @Sendable (String) -> String = { $0 }

    var testDescription: String { name }

    func text(_ export: String) -> String {
      let rows = export.split(separator: "\n").enumerated().map { number, line in
        let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init).enumerated()
          .map { number == 0 && name.hasPrefix("changed") ? $0.element : field($0.offset, $0.element) }
          .joined(separator: separator)
        return number == 0 ? fields : row(fields)
      }
      return start + rows.joined(separator: end) + end
    }
  }

  static let whole = [
    Spelling(name: "semicolons"), Spelling(name: "tabs", separator: "\t"),
    Spelling(name: "commas behind a byte order mark", separator: ",", start: "\u{FEFF}"),
    Spelling(name: "semicolons behind a byte order mark", start: "\u{FEFF}", end: "\n"),
    Spelling(name: "UTF-16", separator: "\t", start: "\u{FEFF}", encoding: .utf16LittleEndian),
    Spelling(name: "quotes", separator: ",", field: { "\"\($1)\"" }),
    Spelling(name: "decimal commas", field: { [4, 7].contains($0) ? $1.replacing(".", with: ",") : $1 }),
    Spelling(
      name: "quoted decimal commas", separator: ",",
      field: { "\"" + ([4, 7].contains($0) ? $1.replacing(".", with: ",") : $1) + "\"" }),
    Spelling(
      name: "thousands",
      field: { $0 == 4 && $1.split(separator: ".").last?.count == 3 ? $1.replacing(".", with: "") : $1 }),
    Spelling(name: "more columns and blank rows", end: ";;\r\n;;;;;;;;;;\r\n"),
    Spelling(name: "fewer separators", row: { $0.replacing(#/;+$/#, with: "") }),
  ]

  @Test(arguments: whole)
  func testExportThatIsSpelledOtherwise_IsTheSameRecording(spelling: Spelling) async throws {
    let export = try await export()
    let file = try write(spelling.text(export), spelling.encoding)
    let imported = try await Program.success(
      "import", try write(export, .utf8, "original.csv"), file, "--format", "json", "--database",
      folder.path("2.sqlite"))
    let files = try #require(imported.object()["imported"] as? [[String: Any]])
    #expect(files.count == 2 && files[1]["wasKnown"] as? Bool == true, "\(imported.errors)")
    #expect(
      files.allSatisfy { $0["damaged"] as? Int == 0 }
        && files[0]["session"] as? String == files[1]["session"] as? String)
    _ = try await Program.success("import", file, "--database", folder.path("3.sqlite"))
    #expect(try await exportOnly(from: "3.sqlite") == export)
  }

  static let changed = [
    (
      Spelling(name: "changed times", field: { $0 == 2 ? $1.replacing("T", with: " ").prefix(16) + "" : $1 }),
      "time is none"
    ),
    (
      Spelling(name: "changed hours", row: { $0.replacing("beat;7;2026-01-01T", with: "beat;7;2025-01-01T") }),
      "line 9: time and monotonicUs"
    ),
    (Spelling(name: "changed microseconds", field: { $0 == 3 ? "1,5E+9" : $1 }), "line 2: monotonicUs"),
    (Spelling(name: "changed gaps", field: { $0 == 7 && $1 != "" ? "12. Mrz" : $1 }), "a gap needs seconds"),
    (
      Spelling(name: "changed to thousands", field: { $0 == 7 ? $1.replacing(".", with: "") : $1 }),
      "the gap ends after"
    ),
    (Spelling(name: "changed intervals", field: { $0 == 4 ? $1 + "9" : $1 }), "rrMs and rr1024"),
    (Spelling(name: "other columns", field: { $0 == 1 ? "note;" + $1 : $1 }), "line 1: the columns"),
  ]

  @Test(arguments: changed)
  func testExportWhoseValuesChanged_IsRefusedByLine(spelling: Spelling, reason: String) async throws {
    let file = try write(spelling.text(try await export()), .utf8)
    let result = try await Program.run(["import", file, "--database", folder.path("2.sqlite")])
    #expect(result.status == 3)
    #expect(result.errors.contains("again.csv: line ") && result.errors.contains(reason), "\(result.errors)")
    #expect(result.errors.contains("export the session again"))
  }

  /// What is left of it could be read as a series of intervals, without its start, its gaps and its marks.
  @Test(arguments: [
    Spelling(name: "a line above", start: "sep=;\r\n"),
    Spelling(name: "columns removed"),
  ])
  func testExportWithoutItsHeading_IsRefused(spelling: Spelling) async throws {
    var text = spelling.text(try await export())
    if spelling.start.isEmpty {
      text = text.split(separator: "\r\n").map { $0.split(separator: ";").prefix(6).joined(separator: ";") }
        .joined(separator: "\r\n")
    }
    let file = try write(text, .utf8)
    let arguments = ["import", file, "--start", "2026-01-01T00:00:00Z", "--database", folder.path("2.sqlite")]
    let result = try await Program.run(arguments)
    #expect(result.status == 3)
    #expect(result.errors.contains("export the session again"), "\(result.errors)")
  }

  private func export() async throws -> String {
    let capture = try FixtureLocator.capture("two-links")
    _ = try await Program.success("replay", capture, "--database", folder.path("1.sqlite"))
    return try await exportOnly(from: "1.sqlite")
  }

  private func exportOnly(from database: String) async throws -> String {
    let id = try #require(try await Program.sessions(in: folder.path(database)).first?["id"] as? String)
    return try await Program.success("export", id, "--format", "csv", "--database", folder.path(database)).text
  }

  private func write(_ text: String, _ encoding: String.Encoding, _ name: String = "again.csv") throws -> String {
    try #require(text.data(using: encoding)).write(to: URL(fileURLWithPath: folder.path(name)))
    return folder.path(name)
  }
}
