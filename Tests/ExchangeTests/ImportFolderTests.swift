import Foundation
import Glibc
import TachogramTestKit
import Testing

/// What `import` makes of folders, and of what is no file.
@Suite(.timeLimit(.minutes(5)))
struct ImportFolderTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func write(_ text: String, _ name: String) throws {
    let url = URL(fileURLWithPath: folder.path(name))
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func run(_ paths: [String], _ more: String...) async throws -> Program.Result {
    try await Program.run(
      ["import"] + paths + ["--database", folder.path("t.sqlite")] + more)
  }

  private static func text(_ milliseconds: Int) -> String {
    "# start 2026-03-29T07:00:00Z\n" + String(repeating: "\(milliseconds)\n\(milliseconds + 10)\n", count: 50)
  }

  @Test func testFoldersInAFolder_AreReadToo() async throws {
    try write(Self.text(800), "all/a.txt")
    try write(Self.text(810), "all/sub/b.txt")
    try write(Self.text(820), "all/sub/deeper/c.txt")
    try write("nothing", "all/.hidden/d.txt")
    let result = try await run([folder.path("all")], "--format", "json")
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let files = try #require(try result.object()["imported"] as? [[String: Any]]).compactMap { $0["file"] as? String }
    #expect(files == ["a.txt", "sub/b.txt", "sub/deeper/c.txt"].map { folder.path("all/\($0)") })
  }

  @Test func testWhatIsNoFileInAFolder_IsSkippedAndNamed() async throws {
    try write(Self.text(800), "all/a.txt")
    let pipe = try NamedPipe(folder.path("all/pipe"))
    for (name, target) in [
      ("zero", "/dev/zero"), ("gone", "nowhere"), ("loop", "."), ("piped", pipe.path), ("linked.txt", "a.txt"),
    ] {
      try #require(symlink(target, folder.path("all/\(name)")) == 0)
    }
    let result = try await run([folder.path("all")], "--format", "json")
    #expect(result.status == 0, "\(result.errors)")
    let object = try result.object()
    let files = try #require(object["imported"] as? [[String: Any]]).compactMap { $0["file"] as? String }
    #expect(files == ["a.txt", "linked.txt"].map { folder.path("all/\($0)") })
    let skipped = [
      ("gone", "a link to nothing"), ("loop", "a link to a folder; name it to import what is in it"),
      ("pipe", "a named pipe; name it to import what comes through it"),
      ("piped", "a link to a named pipe; name it to import what comes through it"),
      ("zero", "a link to a character device"),
    ].map { name, why in "\(folder.path("all/\(name)")): skipped: \(why)" }
    #expect(object["skipped"] as? [String] == skipped)
    #expect(result.errors == skipped.map { "tachogram: \($0)\n" }.joined())
  }

  @Test(arguments: ["/proc/sys/kernel/random", "/proc/self/fd", "/sys/kernel/uevent_seqnum"])
  func testWhatIsOfTheKernel_IsRefused(path: String) async throws {
    let result = try await run([path])
    #expect(result.status == 1)
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    #expect(result.errors.hasPrefix("tachogram: \(path): is ") && result.errors.contains("the kernel generates"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("t.sqlite")))
  }

  @Test func testLinksToWhatIsOfTheKernel_AreSkippedAndNamed() async throws {
    try write(Self.text(800), "all/a.txt")
    for (name, target) in [("file", "/sys/kernel/uevent_seqnum"), ("folder", "/proc/sys/kernel/random")] {
      try #require(symlink(target, folder.path("all/\(name)")) == 0)
    }
    let result = try await run([folder.path("all")])
    #expect(result.status == 0, "\(result.errors)")
    let skipped = [
      ("file", "a link to a file that the kernel generates while it is read"),
      ("folder", "a link to a folder; name it to import what is in it"),
    ].map { name, why in "tachogram: \(folder.path("all/\(name)")): skipped: \(why)\n" }
    #expect(result.errors == skipped.joined())
  }

  /// The names of files and folders are bytes to the system.
  @Test func testNamesThatAreNotUTF8_AreReadAsOthers() async throws {
    try write(Self.text(800), "all/a.txt")
    try write(Self.text(810), "all/z.txt")
    try write("no interval\n", "bad.txt")
    let top = Array(folder.path("all").utf8)
    let inner = Array("/".utf8) + [0xFC]
    let deep = Array("/".utf8) + [0xFF, 0xFE] + Array(".txt".utf8)
    func path(_ parts: [UInt8]...) -> [CChar] { (top + parts.joined()).map(CChar.init(bitPattern:)) + [0] }
    try #require(mkdir(path(inner), 0o700) == 0)
    try #require(rename(folder.path("all/z.txt"), path(inner, deep)) == 0)
    try #require(rename(folder.path("bad.txt"), path(deep)) == 0)
    let result = try await run([folder.path("all")], "--format", "json")
    #expect(result.status == 3, "as that of a bad file")
    let object = try result.object()
    let files = try #require(object["imported"] as? [[String: Any]]).compactMap { $0["file"] as? String }
    #expect(files == [#"\xFC/\xFF\xFE.txt"#, "a.txt"].map { folder.path("all") + "/" + $0 })
    #expect(object["skipped"] as? [String] == [])
    #expect(result.errors.hasPrefix("tachogram: \(folder.path("all"))/" + #"\xFF\xFE.txt: "#), "\(result.errors)")
  }

  /// A shell gives arguments that a test cannot.
  @Test(arguments: [
    "import", "analyze", "replay", "import \"$HERE\"/a.txt", "sessions --database", "import \"$HERE\"/a.txt --person",
  ])
  func testArgumentThatIsNotUTF8_IsRefusedForWhatItIs(command: String) async throws {
    try write(Self.text(800), "a.txt")
    let script = #"printf '1000\n' > "$HERE/"$'\xff.txt'; "$PROGRAM" \#(command) "$HERE/"$'\xff.txt'"#
    let result = try await ChildProcess.run(
      URL(fileURLWithPath: "/bin/bash"), ["-c", script],
      environment: ["HERE": folder.url.path, "PROGRAM": Program.url.path, "HOME": folder.path("home")])
    #expect(result.status == 2, "\(result.errors)")
    #expect(result.errors.hasPrefix("tachogram: \(folder.url.path)/" + #"\xFF.txt: is not UTF-8"#), "\(result.errors)")
    #expect(result.errors.contains("rename the file"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("home")))
  }

  @Test func testFolderWithoutFiles_IsNamed() async throws {
    _ = try NamedPipe(folder.path("pipe"))
    let result = try await run([folder.url.path])
    #expect(result.status == 3)
    #expect(result.errors.contains("\(folder.url.path): holds no file that can be imported"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("t.sqlite")))
  }

  /// Each is reported by its name, and the others are read.
  @Test func testBadFiles_DoNotStopTheOthers() async throws {
    try write("no interval\n", "all/1.txt")
    try write("{\"session\":{}}", "all/2.json")
    try write(Self.text(800), "all/3.txt")
    let missing = folder.path("missing.txt")
    let result = try await run([missing, "/dev/zero", "/proc/self/mem", folder.path("all")])
    #expect(result.status == 1, "as the first of them")
    #expect(result.text.contains("3.txt: rr-text"))
    for name in [missing, "/dev/zero", "/proc/self/mem", "1.txt", "2.json"] {
      #expect(result.errors.contains(name), "\(name)")
    }
    #expect(!result.errors.contains("Domain"))
  }

  @Test(arguments: ["rest/input.btsnoop", "text"])
  func testPipe_IsImportedAsTheFileIs(kind: String) async throws {
    try write(Self.text(800), "rr.txt")
    let file =
      kind == "text" ? folder.path("rr.txt") : try FixtureLocator.folder().appendingPathComponent(kind).path
    let pipe = try NamedPipe(folder.path("pipe"))
    let options = ["--format", "json", "--database"]
    let process = try Program.start(["import", pipe.path] + options + [folder.path("piped.sqlite")])
    let writer = try await pipe.writer()
    await NamedPipe.write(Array(try Data(contentsOf: URL(fileURLWithPath: file))), to: writer)
    try writer.close()
    let piped = await process.end()
    let plain = try await Program.run(["import", file] + options + [folder.path("plain.sqlite")])
    #expect(piped.status == 0, "\(piped.errors)")
    #expect(
      piped.text.replacingOccurrences(of: pipe.path, with: "X") == plain.text.replacingOccurrences(of: file, with: "X"))
  }
}
