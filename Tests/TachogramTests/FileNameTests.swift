import Foundation
import TachogramTestKit
import Testing

/// Names of files that would write lines of their own.
struct FileNameTests {
  private static let name = "r\nz\r\tq"
  private static let shown = "r?z??q"
  private let folder: TemporaryFolder
  private var path: String { folder.path(Self.name) }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: FixtureLocator.capture("rest"), toPath: path)
  }

  @Test(arguments: ["replay FILE", "analyze SERIES", "import FILE --database DB", "import DIR --database DB"])
  func testNameOnStandardOutput_IsOnOneLine(command: String) async throws {
    if command.contains("SERIES") {
      let intervals = (0..<300).map { "\(800 + $0 * 7 % 50)\n" }.joined()
      try Data(intervals.utf8).write(to: URL(fileURLWithPath: folder.path("series") + Self.name))
    }
    let result = try await run(command)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.text.contains(Self.shown))
    #expect(!result.text.contains("\r") && !result.text.contains(Self.name), "\(result.text)")
  }

  @Test(arguments: [
    "replay MISSING", "analyze MISSING", "restore MISSING --database DB", "sessions --database MISSING",
  ])
  func testNameInAnError_IsOnOneLine(command: String) async throws {
    let result = try await run(command)
    #expect(result.status != 0)
    #expect(result.errors.contains(Self.shown), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1 && !result.errors.contains("\r"), "\(result.errors)")
  }

  @Test func testArgumentThatIsRefused_IsOnOneLine() async throws {
    let result = try await Program.run(["replay", path, "--speed", "a\nb\tc"])
    #expect(result.status == 2 && result.errors.contains("a?b?c"), "\(result.errors)")
  }

  /// Of several files, the one is named that is refused for what is stored; in a folder, too.
  @Test func testStoredSessionThatIsContradicted_IsToldWithTheFile() async throws {
    let database = folder.path("db")
    let source = URL(fileURLWithPath: path)
    var bytes = try Data(contentsOf: source)
    let first = try await Program.run(["import", path, "--database", database])
    try #require(first.status == 0, "\(first.errors)")
    // The last notification: another heart rate.
    let last = try #require(bytes.range(of: Data([0x04, 0x00, 0x1B]), options: .backwards))
    bytes[last.lowerBound + 6] ^= 1
    let all = folder.path("all")
    try FileManager.default.createDirectory(atPath: all, withIntermediateDirectories: false)
    try bytes.write(to: URL(fileURLWithPath: all + "/other.btsnoop"))
    let result = try await Program.run(["import", all, "--database", database, "--format", "json"])
    #expect(result.status != 0)
    let failed = try #require(result.object()["failed"] as? [String])
    #expect(failed.count == 1 && failed[0].hasPrefix("\(all)/other.btsnoop: Session "), "\(failed)")
    #expect(result.errors.contains("tachogram: \(all)/other.btsnoop: Session "))
  }

  private func run(_ command: String) async throws -> Program.Result {
    let words = command.split(separator: " ").map { word in
      switch word {
      case "FILE", "DIR": word == "DIR" ? folder.url.path : path
      case "SERIES": folder.path("series") + Self.name
      case "MISSING": path + "\u{1B}"
      case "DB": folder.path(".db")
      default: String(word)
      }
    }
    return try await Program.run(words)
  }
}
