import Foundation
import Repository
import Synchronization
import TachogramCore
import TachogramTestKit
import Testing

/// Processes that read a database, and recorders that keep something in memory.
@Suite("Commits on request")
struct CommitListenerTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("t.sqlite")
    try TachogramDatabase.open(path: path).close()
  }

  private func sockets() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.contains("-commit-") }
  }

  /// As another process would open it: on a thread of its own, for as long as it takes.
  private func open(_ path: String, isReading: Bool = true) async throws -> TachogramDatabase {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "reader").async {
        continuation.resume(
          with: Result {
            try isReading
              ? TachogramDatabase.openReadOnly(path: path, busyTimeout: .seconds(600))
              : TachogramDatabase.open(path: path, busyTimeout: .seconds(600))
          })
      }
    }
  }

  /// Whoever opens a database finds in it what each recorder stored when it was asked.
  @Test(arguments: [true, false])
  func testWhoeverOpens_FindsWhatRecordersHeld(isReading: Bool) async throws {
    let recorder = try TachogramDatabase.open(path: path, for: .recording)
    let sessions = Mutex(0)
    let listeners = try (0..<2).map { number in
      try #require(
        CommitListener(database: recorder) {
          let session = SessionFixture.description(id: SessionFixture.identifier(number))
          _ = try? SessionRepository(database: recorder).begin(session)
          sessions.withLock { $0 += 1 }
        })
    }
    #expect(try sockets().count == 2)
    let database = try await open(path, isReading: isReading)
    #expect(try SessionRepository(database: database).sessions().count == 2)
    #expect(database.silentRecorders == 0)
    try database.close()
    for listener in listeners { listener.close() }
    #expect(try sockets().isEmpty)
    let stored = sessions.withLock { $0 }
    #expect(stored == 2)
    try recorder.close()
  }

  /// One that was stopped, or that is stuck.
  @Test(arguments: [true, false])
  func testRecorderThatDoesNotAnswer_IsCounted(isReading: Bool) throws {
    let recorder = try TachogramDatabase.open(path: path, for: .recording)
    let (stuck, release) = AsyncStream.makeStream(of: Void.self)
    let listener = try #require(CommitListener(database: recorder) { for await _ in stuck {} })
    let database =
      try isReading
      ? TachogramDatabase.openReadOnly(path: path, busyTimeout: .milliseconds(100))
      : TachogramDatabase.open(path: path, busyTimeout: .milliseconds(100))
    #expect(database.silentRecorders == 1)
    try database.close()
    release.finish()
    listener.close()
    try recorder.close()
  }

  /// As a crash leaves it.
  @Test func testSocketOfNobody_HoldsUpNobodyAndIsDeleted() throws {
    let recorder = try TachogramDatabase.open(path: path, for: .recording)
    let listener = try #require(CommitListener(database: recorder) {})
    let name = try #require(try sockets().first)
    try FileManager.default.moveItem(atPath: folder.path(name), toPath: folder.path("kept"))
    listener.close()
    try FileManager.default.moveItem(atPath: folder.path("kept"), toPath: folder.path(name))
    try recorder.close()
    try TachogramDatabase.openReadOnly(path: path).close()
    #expect(try sockets().isEmpty)
  }

  /// Somebody's own file beside the database is not a socket, whatever it is called.
  @Test func testFileWithSuchAName_Stays() throws {
    let name = "t.sqlite-commit-backup"
    try folder.write([1], to: name)
    try TachogramDatabase.openReadOnly(path: path).close()
    #expect(try folder.read(name) == Data([1]))
  }

  /// The address of a socket is short; the path of a database need not be.
  @Test func testLongPath_IsReachedThroughItsFolder() async throws {
    let inner = folder.path(String(repeating: "a", count: 120))
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
    let recorder = try TachogramDatabase.open(path: inner + "/t.sqlite", for: .recording)
    let asked = Mutex(false)
    let listener = try #require(CommitListener(database: recorder) { asked.withLock { $0 = true } })
    try await open(inner + "/t.sqlite").close()
    let wasAsked = asked.withLock { $0 }
    #expect(wasAsked)
    listener.close()
    try recorder.close()
  }

  @Test func testDatabaseInMemory_HasNoListener() throws {
    #expect(CommitListener(database: try .inMemory()) {} == nil)
  }
}
