import Foundation
import Glibc
import TachogramTestKit
import Testing

/// A station of a test, whose `sync` commands a test runs.
struct SyncStation {
  let name: String
  /// The path of the folder that is the store.
  let store: String
  private let folder: String

  var database: String { "\(folder)/t.sqlite" }

  /// Creates the station in a folder of tests. The store is another folder in it.
  init(_ name: String, in tests: TemporaryFolder) throws {
    (self.name, store, folder) = (name, tests.path("store"), tests.path(name))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  }

  /// Founds a space with this station.
  func found() async throws {
    let founded = try await sync("init", store, "--name", name)
    try #require(founded.status == 0, "\(founded.errors)")
  }

  /// Creates stations of one space.
  static func make(_ first: String, _ second: String, in tests: TemporaryFolder) async throws -> [SyncStation] {
    let stations = [try SyncStation(first, in: tests), try SyncStation(second, in: tests)]
    try await stations[0].found()
    let (inviting, invitation) = try await stations[0].invite()
    let joined = try await stations[1].sync(
      "join", invitation, "--store", stations[1].store, "--name", stations[1].name)
    try #require(joined.status == 0, "\(joined.errors)")
    try #require(await inviting.end().status == 0)
    try await stations[0].synchronise()
    return stations
  }

  // MARK: - Commands

  func run(_ arguments: [String]) async throws -> Program.Result {
    try await Program.run(arguments + ["--database", database])
  }

  func sync(_ arguments: String...) async throws -> Program.Result { try await run(["sync"] + arguments) }

  /// Synchronises once. Throws if that fails.
  func synchronise() async throws {
    let result = try await sync("now")
    try #require(result.status == 0, "\(result.errors)")
  }

  /// Starts a `sync` command whose messages are in its output.
  func start(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess.start(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", "exec \"$0\" \"$@\" 2>&1", Program.url.path, "sync"] + arguments + ["--database", database],
      environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"])
  }

  /// Starts to invite. Returns the invitation when the station waits for another one.
  func invite() async throws -> (process: ChildProcess, invitation: String) {
    let process = try start("invite")
    let text = await Self.output(of: process, until: "Waiting for it")
    let words = text.split(whereSeparator: \.isWhitespace)
    let place = try #require(words.firstIndex(of: "join"), "\(text)")
    return (process, String(words[place + 1]))
  }

  /// Returns the output of a program until it contains some words.
  static func output(of process: ChildProcess, until words: String) async -> String {
    var text = ""
    for await piece in process.pieces {
      text += String(decoding: piece, as: UTF8.self)
      if text.contains(words) { break }
    }
    return text
  }

  /// Imports a session. Returns its identifier.
  @discardableResult
  func importSession() async throws -> String {
    let file = "\(folder)/rr.txt"
    try Data(String(repeating: "800\n810\n790\n", count: 100).utf8).write(to: URL(fileURLWithPath: file))
    let imported = try await run(["import", file, "--start", "2026-03-29T07:00:00Z", "--format", "json"])
    try #require(imported.status == 0, "\(imported.errors)")
    let files = try #require(imported.object()["imported"] as? [[String: Any]])
    return try #require(files.first?["session"] as? String)
  }

  // MARK: - Locking

  /// Holds the lock of synchronisation, as another process does. Closing the descriptor ends it.
  func lock() throws -> Int32 {
    let descriptor = open("\(folder)/sync", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
    return descriptor
  }
}
