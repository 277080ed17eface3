import Foundation
import Repository
import TachogramFuzz
import TachogramTestKit
import Testing

/// Exports that somebody changed: each is imported or refused in words, and does no harm to what is stored.
struct ChangedExportTests {
  enum Kind: String, CaseIterable {
    case json
    case fhir
    case csv
    /// What there is of a person beside the sessions.
    case person
  }

  /// Changed files of each kind.
  private static let count = 60

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The ids of the sessions in the database.
  private func sessions() async throws -> [String] {
    try await Program.sessions(in: folder.path("db")).compactMap { $0["id"] as? String }
  }

  private func export(_ session: String, _ format: String) async throws -> Data {
    try await Program.success("export", session, "--format", format, "--database", folder.path("db")).output
  }

  /// Stores a session as if it had been recorded live, and gives its id.
  private func liveSession() async throws -> String {
    let capture = try FixtureLocator.capture("rest")
    _ = try await Program.success("replay", capture, "--database", folder.path("replayed"), "--person", "Anna")
    _ = try await Program.success(
      "export", "--person", "Anna", "--format", "json", "--output", folder.path("exported"), "--database",
      folder.path("replayed"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("exported"))
    let name = try #require(names.first { !$0.hasPrefix("person") })
    let text = try String(contentsOfFile: folder.path("exported/\(name)"), encoding: .utf8)
    try text.replacing("\"origin\":\"replay\"", with: "\"origin\":\"live\"")
      .write(toFile: folder.path("live.json"), atomically: true, encoding: .utf8)
    _ = try await Program.success("import", folder.path("live.json"), "--database", folder.path("db"))
    return try #require(try await sessions().first)
  }

  /// The file that is to be changed.
  private func file(_ kind: Kind, _ session: String) async throws -> Data {
    guard kind == .person else { return try await export(session, kind.rawValue) }
    let object = try JSONSerialization.jsonObject(with: try await export(session, "json")) as? [String: Any]
    let levels = try #require(object?["stress"] as? [[String: Any]])
    #expect(!levels.isEmpty)
    return try JSONSerialization.data(withJSONObject: [
      "person": "Anna", "baselines": [Any](), "hours": [Any](),
      "stress": levels.enumerated().map { number, level in
        level.merging(["id": "00000000-0000-0000-0000-\(100_000_000_000 + number)"]) { $1 }
      },
      "straps": [
        ["address": "C8:DE:AD:BE:EF:09", "addressType": "random", "name": "H10", "label": "left", "addedUs": 1]
      ],
    ])
  }

  /// Writes changed files to a folder of their own.
  private func change(_ file: Data, _ kind: Kind) throws {
    try FileManager.default.createDirectory(atPath: folder.path("changed"), withIntermediateDirectories: true)
    var lines = FuzzMutation([FuzzSeed(name: "csv", bytes: Array(file))], longest: file.count, seed: 1)
    var json = try kind == .csv ? nil : JSONMutation(file, seed: 1)
    for number in 0..<Self.count {
      let changed = try json?.next() ?? Data(lines.next())
      try changed.write(to: URL(fileURLWithPath: folder.path("changed/\(number)")))
    }
  }

  @Test(arguments: Kind.allCases)
  func testChangedExports_AreStoredOrRefusedAndDoNoHarm(_ kind: Kind) async throws {
    let session = try await liveSession()
    let before = try await export(session, "json")
    try change(try await file(kind, session), kind)
    let result = try await Program.run([
      "import", folder.path("changed"), "--trust-straps", "--format", "json", "--database", folder.path("db"),
    ])
    #expect([0, 1, 2, 3].contains(result.status), "\(result.status): \(result.errors)")
    let answer = try result.object()
    let imported = try #require(answer["imported"] as? [[String: Any]])
    let failed = try #require(answer["failed"] as? [String])
    let files = Set(imported.compactMap { $0["file"] as? String })
    #expect(files.count + failed.count == Self.count, "\(files.count) and \(failed.count)")
    #expect(!files.isEmpty)
    #expect(failed.allSatisfy { $0.contains(folder.path("changed")) || $0.contains("session") }, "\(failed)")
    // What is stored can be read, and what was stored is as it was.
    #expect(try await export(session, "json") == before)
    for id in try await sessions() { #expect(try await !export(id, "json").isEmpty) }
    let database = try TachogramDatabase.open(path: folder.path("db"))
    #expect(try database.checkIntegrity() == [])
    try database.close()
    // And goes when it is to go.
    _ = try await Program.success("delete", "--everything", "--yes", "--database", folder.path("db"))
    #expect(try await sessions().isEmpty)
  }
}
