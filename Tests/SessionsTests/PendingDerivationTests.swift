import Capture
import Foundation
import Repository
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

@testable import Sessions

/// Sessions of which not all that derives from them is stored.
struct PendingDerivationTests {
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

  /// As a full disk or a power cut leaves it: what derives from its ledger is derived for the export, and nothing is stored.
  @Test func testExportsOfALedgerAlone_AreWhole() async throws {
    let (whole, pending) = (try open("whole"), try open("pending"))
    var batch = SessionBatch()
    batch.links = try whole.links(of: id)
    try whole.forEachEntry(of: id) { batch.entries += $0 }
    let session = try whole.session(matching: id).description
    #expect(try pending.store([SessionPiece(.beginning(session), batch, derivation: .pending(.sdnn))]) == [nil])
    try pending.finish(id)
    for format in ["btsnoop", "csv", "rr", "kubios", "fit"] {
      let result = try await export(format, from: "pending")
      let expected = try await export(format, from: "whole")
      #expect(result.status == 0 && result.output == expected.output, "\(format)")
    }
    #expect(try pending.session(matching: id).beatCount == 0)
    let (json, expected) = (try await export("json", from: "pending"), try await export("json", from: "whole"))
    #expect(json.text == expected.text)
    try Data(json.text.utf8).write(to: URL(fileURLWithPath: folder.path("pending.json")))
    let imported = try await Program.run(["import", folder.path("pending.json"), "--database", folder.path("imported")])
    #expect(imported.status == 0, "\(imported.errors)")
    let levels = try open("imported").stress(of: id).map(\.stressLevel)
    #expect(try !levels.isEmpty && levels == whole.stress(of: id).map(\.stressLevel))
  }

  /// What a person deleted does not come back in an export.
  @Test func testDeletedStressOfALedgerAlone_StaysDeleted() async throws {
    let database = try TachogramDatabase.open(path: folder.path("whole"))
    let repository = SessionRepository(database: database)
    let stress = try repository.stress(of: id)
    let deleted = try #require(stress.first)
    try await StressRepository(database: database, person: nil, kind: .sdnn, now: { deleted.timestamp }).delete(deleted)
    #expect(
      try repository.store([SessionPiece(.continuation(id), SessionBatch(), derivation: .pending(.sdnn))]) == [nil])
    let rows = try await export("json", from: "whole").object()["stress"] as? [Any]
    #expect(rows?.count == stress.count - 1)
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
