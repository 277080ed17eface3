import Capture
import Foundation
import Repository
import TachogramCore
import TachogramTestKit
import Testing

@testable import tachogram

/// Sessions of which not all that derives from them is stored.
struct OwedSessionTests {
  private let folder: TemporaryFolder
  private let id: String

  /// A session in the database `whole`.
  init() async throws {
    folder = try TemporaryFolder()
    let capture = try FixtureLocator.capture("rest")
    let result = try await Program.run(["replay", capture, "--database", folder.path("whole"), "--format", "json"])
    try #require(result.status == 0)
    let database = try TachogramDatabase.open(path: folder.path("whole"))
    id = try #require(try SessionRepository(database: database).sessions().first?.description.id)
    try database.close()
  }

  private func export(_ format: String, from database: String) async throws -> Program.Result {
    try await Program.run(["export", id, "--format", format, "--database", folder.path(database)])
  }

  private func open(_ name: String) throws -> SessionRepository {
    SessionRepository(database: try TachogramDatabase.open(path: folder.path(name)))
  }

  /// As a full disk leaves it: its beats are not taken for none, and its stress is computed where it is imported.
  @Test func testExportsOfALedgerAlone_PretendNothing() async throws {
    let (whole, owed) = (try open("whole"), try open("owed"))
    var batch = SessionBatch()
    batch.links = try whole.links(of: id)
    try whole.forEachEntry(of: id) { batch.entries += $0 }
    try owed.begin(whole.session(matching: id).description, with: batch, owing: .sdnn)
    for format in ["csv", "rr", "kubios", "fit"] {
      let result = try await export(format, from: "owed")
      #expect(result.status == 1 && result.output.isEmpty, "\(format)")
      #expect(result.errors.contains("its beats are not derived yet"), "\(format): \(result.errors)")
    }
    #expect(try await export("btsnoop", from: "owed").output == export("btsnoop", from: "whole").output)
    let json = try await export("json", from: "owed")
    #expect(try json.status == 0 && json.object()["stress"] == nil)
    let text = json.text.replacing("\"complete\":false", with: "\"complete\":true")
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("owed.json")))
    let imported = try await Program.run(["import", folder.path("owed.json"), "--database", folder.path("imported")])
    #expect(imported.status == 0, "\(imported.errors)")
    let levels = try open("imported").stress(of: id).map(\.stressLevel)
    #expect(try !levels.isEmpty && levels == whole.stress(of: id).map(\.stressLevel))
  }

  /// What was stored whole stays so when its capture is replayed again and that ends early.
  @Test func testReplayThatEndsEarly_LeavesWhatWasStored() throws {
    let database = try TachogramDatabase.open(path: folder.path("whole"))
    let repository = SessionRepository(database: database)
    func stored() throws -> [Int64] {
      let record = try repository.session(matching: id)
      return [
        record.beatCount, record.entryCount, record.isComplete ? 1 : 0, Int64(try repository.windows(of: id).count),
        Int64(try repository.stress(of: id).count),
      ]
    }
    let before = try stored()
    var entries: [LedgerEntry] = []
    try repository.forEachEntry(of: id) { entries += $0 }
    let capture = try FixtureLocator.capture("rest")
    for count in [50, entries.count] {
      let session = try StrapSession(
        strap: #require(try CaptureReplay(path: capture).plan().straps.first), first: #require(entries.first),
        person: nil, kind: .sdnn, database: database, keepsStored: false)
      for entry in entries.prefix(count) { try session.ingest(entry) }
      try session.commit()
      #expect(try stored() != before)
      session.abandon()
      #expect(try stored() == before, "\(count)")
    }
  }
}
