import Foundation
import TachogramTestKit
import Testing

/// What the `sync` commands say when they refuse, and what to do then.
@Suite(.timeLimit(.minutes(5)))
struct SyncAdviceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  // MARK: - The store

  @Test func testStoreInNoFolder_IsNotCreated() async throws {
    let station = try SyncStation("kitchen", in: folder)
    let mistyped = try await station.sync("init", folder.path("nsa/tachogram"))
    #expect(mistyped.status == 2 && mistyped.errors.contains("\"\(folder.path("nsa"))\" does not exist"))
    #expect(folder.files() == ["kitchen"])
    let created = try await station.sync("init", folder.path("store") + "/")
    #expect(created.status == 0 && created.errors == "the folder \(folder.path("store"))/ was created\n")
    try FileManager.default.createDirectory(atPath: folder.path("other"), withIntermediateDirectories: false)
    let other = try SyncStation("desk", in: folder)
    #expect(try await other.sync("init", folder.path("other")).errors.isEmpty)
  }

  @Test(arguments: ["", "ftp://nas/x"])
  func testInvalidAddress_IsQuoted(address: String) async throws {
    let result = try await SyncStation("kitchen", in: folder).sync("init", address)
    #expect(result.status == 2 && result.errors.hasPrefix("tachogram: \"\(address)\" is neither"), "\(result.errors)")
  }

  @Test(
    arguments: [
      ("none", nil, "none does not exist"), ("empty", "\n", "empty is empty"), ("words", "grüße", "words has no token"),
    ] as [(String, String?, String)])
  func testTokenFile_IsNamedWithTheReason(name: String, contents: String?, reason: String) async throws {
    if let contents { try folder.write(contents.utf8, to: name) }
    for option in ["--token-file", "--authority"] where option == "--token-file" || contents == nil {
      let result = try await SyncStation("kitchen-\(option)", in: folder)
        .sync("init", "http://127.0.0.1:1", option, folder.path(name))
      #expect(result.status == 2 && result.errors.contains(reason), "\(result.errors)")
    }
  }

  @Test func testUnreachableServer_IsNamed() async throws {
    try folder.write("token".utf8, to: "token")
    let result = try await SyncStation("kitchen", in: folder)
      .sync("init", "http://127.0.0.1:1", "--token-file", folder.path("token"))
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("tachogram: the store http://127.0.0.1:1 cannot be reached: "), "\(result.errors)")
  }

  // MARK: - Members

  @Test func testMembers_AreRemovedByOthersOnly() async throws {
    let stations = try await SyncStation.make("kitchen", "desk", in: folder)
    let own = try await stations[0].sync("remove", "kitchen")
    #expect(own.status == 2)
    #expect(own.errors.contains("a station cannot remove itself; run `tachogram sync leave` here"), "\(own.errors)")
    let unknown = try await stations[0].sync("remove", "")
    #expect(unknown.status == 2 && unknown.errors.contains("no member is called \"\";"), "\(unknown.errors)")
    #expect(try await stations[0].sync("remove", "desk").text == "desk is no longer a member.\n")
    let removed = try await stations[1].sync("now")
    let words = "this station was removed from the space; run `tachogram sync leave`, then join again"
    #expect(removed.status == 1 && removed.errors == "tachogram: \(words)\n")
    #expect(try await stations[1].sync("status", "--format", "json").object()["problem"] as? String == words)
  }

  @Test func testReset_OthersSayHowToGoOn() async throws {
    let stations = try await SyncStation.make("kitchen", "desk", in: folder)
    #expect(try await stations[0].sync("reset", "--yes").status == 0)
    let stopped = try await stations[1].sync("now")
    #expect(stopped.status == 1 && stopped.errors.contains("`tachogram sync reset --accept`"), "\(stopped.errors)")
    #expect(stopped.errors.contains("`tachogram sync reset --upload`"))
    #expect(try await stations[1].sync("reset", "--upload").status == 0)
    try await stations[1].synchronise()
  }

  @Test func testRecoveryWordsOfAnotherSpace_AreRefused() async throws {
    let first = try SyncStation("kitchen", in: folder)
    let founded = try await first.sync("init", first.store)
    let other = try SyncStation("desk", in: folder)
    try FileManager.default.createDirectory(atPath: folder.path("other"), withIntermediateDirectories: false)
    try #require(try await other.sync("init", folder.path("other")).status == 0)
    let words = founded.text.split(separator: "\n").filter { $0.hasPrefix("  ") }.joined(separator: "\n")
    try folder.write(words.utf8, to: "words")
    let recovering = try SyncStation("new", in: folder)
    for (store, status) in [(folder.path("other"), 3), (first.store, 0)] as [(String, Int32)] {
      let input = try #require(FileHandle(forReadingAtPath: folder.path("words")))
      let result = try await Program.start(
        ["sync", "recover", "--store", store, "--database", recovering.database], input: input
      ).end()
      #expect(result.status == status, "\(result.errors)")
      if status != 0 { #expect(result.errors.contains("these words are not the recovery words of this space")) }
    }
  }
}
