import Foundation
import Sessions
import TachogramTestKit
import Testing

@testable import Sessions

struct InstallationIdentifierTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func testIdentifier_IsMadeOnceAndKept() throws {
    let identifier = try InstallationIdentifier(folder: folder.path("a/b")).readOrMake()
    #expect(UUID(uuidString: identifier) != nil && identifier == identifier.lowercased())
    #expect(try InstallationIdentifier(folder: folder.path("a/b")).readOrMake() == identifier)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("a/b/installation"))
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("a/b")) == ["installation"])
    #expect(try InstallationIdentifier(folder: folder.path("c")).readOrMake() != identifier)
  }

  /// Several commands may begin at once.
  @Test func testIdentifierThatManyMake_IsOne() async throws {
    let path = folder.path("many")
    let made = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<32 { group.addTask { try InstallationIdentifier(folder: path).readOrMake() } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(made.count == 1)
  }

  @Test(arguments: ["", "none", "5f0c8c9e-3b1a-4c5e-9d7f"])
  func testFileWithoutIdentifier_IsRefusedAndStays(text: String) throws {
    try text.write(toFile: folder.path("installation"), atomically: true, encoding: .utf8)
    #expect(throws: InstallationIdentifier.Failure.self) {
      try InstallationIdentifier(folder: folder.url.path).readOrMake()
    }
    #expect(try String(contentsOfFile: folder.path("installation"), encoding: .utf8) == text)
  }

  @Test func testFolderThatCannotBeMade_IsAnError() {
    #expect(throws: InstallationIdentifier.Failure.self) {
      try InstallationIdentifier(folder: "/proc/nowhere").readOrMake()
    }
  }
}
