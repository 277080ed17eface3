import Foundation
import TachogramTestKit
import Testing

/// No command leaves anything beside a file that it refuses as its database, or where a database is missing.
struct RefusedDatabaseCommandTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("d/t.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("d"), withIntermediateDirectories: false)
  }

  private static func capture() throws -> String {
    try FixtureLocator.capture("rest")
  }

  private static let writers = [
    "import CAPTURE", "replay CAPTURE", "record --replay CAPTURE --speed max",
    "station --replay CAPTURE --speed max --port 1", "delete --everything --yes", "straps rename mine other",
    "straps forget mine",
  ]
  private static let readers = [
    "sessions", "baseline", "export --everything --format json --output OUT", "analyze --session abcd", "straps",
    "delete --everything", "live --replay CAPTURE --speed max",
  ]

  private func run(_ command: String) async throws -> Program.Result {
    let words = try command.split(separator: " ").map { word in
      word == "CAPTURE" ? try Self.capture() : word == "OUT" ? folder.path("out") : String(word)
    }
    return try await Program.run(words + ["--database", path])
  }

  @Test(arguments: writers + readers + ["token"])
  func testTextFile_HasNothingBesideIt(command: String) async throws {
    try Data("1000\n990\n".utf8).write(to: URL(fileURLWithPath: path))
    let result = try await run(command)
    #expect(result.status == 1, "\(result.errors)")
    let failure = """
      \(path) is not a SQLite database. Name another file, or restore a snapshot if it was one (`tachogram restore`); this one \
      was left as it was.
      """
    #expect(result.errors == "tachogram: \(failure)\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("d")) == ["t.sqlite"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "1000\n990\n")
  }

  /// The station starts nevertheless, see `RestoreRequestTests`.
  @Test(arguments: (writers + readers).filter { !$0.hasPrefix("station") })
  func testDamagedDatabase_HasNothingBesideIt(command: String) async throws {
    _ = try await Program.success("replay", try Self.capture(), "--database", path)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let place = try #require(bytes.firstRange(of: Data("CREATE TABLE".utf8)))
    bytes.replaceSubrange(place, with: Data(repeating: 0xA5, count: place.count))
    try bytes.write(to: URL(fileURLWithPath: path))
    try FileManager.default.removeItem(atPath: path + "-recording")
    let result = try await run(command)
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.errors.contains("\(path) is damaged"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("d")) == ["t.sqlite"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test(arguments: readers + ["export abcd", "analyze"])
  func testSoundDatabase_HasNothingBesideItAfterReading(command: String) async throws {
    _ = try await Program.success("replay", try Self.capture(), "--database", path)
    _ = try await run(command)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("d")).sorted()
    #expect(names == ["t.sqlite", "t.sqlite-recording"])
  }

  /// A database that was made for what then is refused.
  @Test(arguments: [
    "import {\"session\":{}}", "import {\"resourceType\":\"Bundle\"}", "import nothing", "replay nothing",
    "record --speed max --replay nothing",
  ])
  func testRefusedInput_LeavesNoDatabase(command: String) async throws {
    let words = command.split(separator: " ").map(String.init)
    let input = folder.path("input")
    try Data(try #require(words.last).utf8).write(to: URL(fileURLWithPath: input))
    let result = try await Program.run(words.dropLast() + [input, "--database", path])
    #expect([1, 3].contains(result.status), "\(result.errors)")
    #expect(result.errors.contains(input))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("d")) == [])
  }

  @Test(arguments: readers + ["straps rename mine other", "delete --everything --yes", "restore"])
  func testMissingDatabase_IsMadeByNobodyWhoReads(command: String) async throws {
    _ = try await run(command)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("d")) == [])
  }

  /// What is to be put in its place is looked at first.
  @Test func testRefusedCopy_LeavesNothingBesideTheDatabase() async throws {
    let copy = folder.path("copy")
    try Data("no database".utf8).write(to: URL(fileURLWithPath: copy))
    let result = try await Program.run(["restore", copy, "--database", path])
    #expect(result.status == 1 && result.errors.contains("\(copy) is not a SQLite database"), "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("d")) == [])
  }
}
