import Foundation
import TachogramTestKit
import Testing

/// Every folder of `Fixtures`, through the built program: what it prints, and how it ends.
struct GoldenTests {
  static let folders: [URL] = {
    guard let top = try? FixtureLocator.folder(),
      let names = try? FileManager.default.contentsOfDirectory(atPath: top.path)
    else { return [] }
    return names.sorted().map { top.appendingPathComponent($0, isDirectory: true) }
      .filter { FileManager.default.fileExists(atPath: $0.appendingPathComponent("input.btsnoop").path) }
  }()

  @Test(arguments: folders)
  func testFixture_GivesWhatItsFolderSays(folder: URL) async throws {
    let result = try await Program.run(["replay", "input.btsnoop", "--format", "json"], in: folder)
    #expect(result.text == contents("expected.json", of: folder))
    #expect(result.errors == contents("expected.stderr", of: folder))
    #expect(
      "\(result.status)\n"
        == (contents("expected.exit", of: folder).isEmpty ? "0\n" : contents("expected.exit", of: folder)))
  }

  @Test func testFixtures_AreAllThere() {
    #expect(Self.folders.count >= FixtureCases.all.count)
  }

  @Test(arguments: FixtureCases.all)
  func testInput_IsWhatTheMakerMakes(fixture: FixtureCase) throws {
    let file = try FixtureLocator.folder().appendingPathComponent("\(fixture.name)/input.btsnoop")
    #expect(try Data(contentsOf: file) == Data(fixture.input()))
  }

  private func contents(_ name: String, of folder: URL) -> String {
    (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)) ?? ""
  }
}
