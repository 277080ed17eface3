import Foundation
import TachogramCore
import TachogramTestKit
import Testing

@testable import Exchange

/// The registry of export formats, and what lists them elsewhere.
struct ExportFormatsTests {
  private static let formats = SessionFormats.all.map(\.format)
  private func matches(_ pattern: Regex<(Substring, Substring)>, in file: String) throws -> [String] {
    let root = try FixtureLocator.folder().deletingLastPathComponent()
    let path = root.appendingPathComponent("Sources/CDashboardFiles/\(file)")
    let text = try String(contentsOf: path, encoding: .utf8)
    return text.matches(of: pattern).map { String($0.output.1) }
  }

  @Test func testFormats_HaveNamesAndFilesOfTheirOwn() {
    for part in [\ExportFormat.name, \.title, \.fileExtension, \.words] {
      #expect(Set(Self.formats.map { $0[keyPath: part] }).count == Self.formats.count)
    }
    #expect(Self.formats.allSatisfy { SessionFormats.format(named: $0.name) == $0 })
    #expect(SessionFormats.format(named: "tcx") == nil)
  }

  @Test func testDescriptionOfTheAPI_NamesThemAll() throws {
    let names = Set(Self.formats.map(\.name))
    let described = try matches(
      /name: format, in: query, schema: \{ type: string, enum: \[([^\]]+)\]/, in: "api/paths.yaml")
    #expect(described.count == 2)
    for list in described { #expect(Set(list.split(separator: ", ").map(String.init)) == names) }
  }

  @Test func testHelp_NamesThemAll() async throws {
    let help = try await Program.success("export", "--help").text
    let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for format in Self.formats { #expect(words.contains("\(format.name) (\(format.words))"), "\(format.name)") }
    #expect(words.contains("rr, btsnoop, kubios, fit, fhir, ecg-csv or ecg-edf"))
  }

  @Test func testUnknownFormat_IsRefusedWithTheNames() async throws {
    let result = try await Program.run(["export", "abcd", "--format", "tcx"])
    #expect(result.status == 2)
    #expect(Self.formats.allSatisfy { result.errors.contains($0.name) }, "\(result.errors)")
  }
}
