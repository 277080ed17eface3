import Foundation
import Pipeline
import Recording
import Repository
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

/// Stored sessions that are derived again, after another version derived them.
struct ReprocessTests {
  private static let device = "0c6e8b1e-6f5c-4d86-9f0c-0d4f3f6f1a11"
  private let database: TachogramDatabase
  private let repository: SessionRepository
  private let session: SessionDescription
  /// All that derives from the session with this version.
  private let derived: SessionBatch

  init() throws {
    database = try .inMemory()
    repository = SessionRepository(database: database)
    let entries = CaptureBuilder.entries(SimulatedStrap().notifications())
    let replayed = CaptureBuilder.session(entries, strap: CaptureBuilder.strap())
    session = SessionDescription(
      id: replayed.id, strap: replayed.strap, origin: .live, deviceID: Self.device, start: replayed.start,
      monotonicStart: replayed.monotonicStart)
    var deriver = try SessionDeriver(session, kind: .rmssd, in: database)
    deriver.ingest(entries)
    deriver.finish()
    derived = deriver.drainRows()
    try #require(derived.stress.count > 2 && derived.windows.count > 6)
    var batch = derived
    batch.links = [StrapLink(number: 0, bootID: nil, handle: 0x10, handleSource: .discovered)]
    batch.entries = entries
    try repository.begin(session, with: batch)
    try repository.finish(session.id)
  }

  /// Stores rows as another version may have derived them.
  private func store(_ change: (inout SessionBatch) -> Void) throws {
    var other = derived
    change(&other)
    _ = try repository.rederive(other, of: session.id, isTrial: false) { _ in .nothing }
  }

  private func reprocess(
    installation: String? = device, restoresAbsent: Bool = false, isTrial: Bool = false
  ) throws -> RederivedSession {
    try SessionReprocessor(database: database).reprocess(
      try repository.session(matching: session.id),
      keeping: SessionReprocessor.Keeping(installation: installation, restoresAbsent: restoresAbsent),
      isTrial: isTrial)
  }

  private func rows() throws -> SessionBatch {
    var rows = SessionBatch()
    try repository.forEachBeat(of: session.id) { rows.beats += $0 }
    rows.gaps = try repository.gaps(of: session.id)
    rows.artifacts = try repository.artifacts(of: session.id)
    rows.windows = try repository.windows(of: session.id)
    rows.stress = try repository.stress(of: session.id)
    return rows
  }

  @Test func testRowsOfThisVersion_AreUnchanged() throws {
    let before = try rows()
    let change = try reprocess()
    #expect(!change.isChanged)
    #expect(change.kept == .nothing)
    #expect(change.beats == .init(before: before.beats.count, after: before.beats.count, differing: 0))
    #expect(change.stress.after == derived.stress.count)
    #expect(try rows() == before)
  }

  @Test func testRowsOfAnotherVersion_AreDerivedAgain() throws {
    let before = try rows()
    try store { rows in
      rows.beats[10].marks.insert(.tooLong)
      rows.windows.removeLast()
      rows.stress[0].stressLevel += 10
      rows.stress.removeLast()
    }
    #expect(try rows() != before)
    let change = try reprocess()
    #expect(change.isChanged)
    #expect(change.beats.differing == 1)
    #expect(change.windows.after == change.windows.before + 1)
    #expect(change.windows.differing == 1)
    #expect(change.stress.after == change.stress.before + 1)
    #expect(change.stress.differing == 2)
    let mean = derived.stress.map(\.stressLevel).reduce(0, +) / Double(derived.stress.count)
    #expect(abs(try #require(change.meanStress.after) - mean) < 1e-9)
    #expect(try rows() == before)
    #expect(try repository.session(matching: session.id).isComplete)
  }

  @Test func testTrial_StoresNothing() throws {
    try store { $0.windows.removeLast() }
    let before = try rows()
    #expect(try reprocess(isTrial: true).windows.differing == 1)
    #expect(try rows() == before)
  }

  @Test func testDeletedWindows_StayDeletedUnlessAskedFor() throws {
    try store { rows in
      rows.windows = []
      rows.beats[3].marks.insert(.tooLong)
    }
    let change = try reprocess()
    #expect(change.kept == .deletedWindows)
    #expect(change.beats.differing == 1)
    #expect(change.windows == .init(before: 0, after: 0, differing: 0))
    #expect(change.stress.differing == 0)
    let all = try reprocess(restoresAbsent: true)
    #expect(all.kept == .nothing)
    #expect(all.windows.after == all.windows.differing && all.windows.after > 6)
  }

  @Test func testAbsentStress_StaysAbsentUnlessAskedFor() throws {
    try store { $0.stress = [] }
    let change = try reprocess()
    #expect(change.kept == .absentStress)
    #expect(!change.isChanged)
    #expect(try reprocess(restoresAbsent: true).stress.after == derived.stress.count)
  }

  @Test(arguments: [device, "another"])
  func testStressOfAnotherInstallation_Stays(recorder: String) throws {
    try store { rows in
      for index in rows.stress.indices { rows.stress[index].stressLevel = 99 }
    }
    let change = try reprocess(installation: recorder)
    #expect(change.kept == (recorder == Self.device ? .nothing : .importedStress))
    let levels = try repository.stress(of: session.id).map(\.stressLevel)
    #expect(levels.allSatisfy { $0 == 99 } == (recorder != Self.device))
    #expect(levels.count == derived.stress.count)
  }

  @Test func testLevelsThatWereDeletedOneByOne_StayDeleted() async throws {
    let deleted = try #require(derived.stress.first)
    try await StressRepository(database: database, person: nil, kind: .rmssd, now: { deleted.timestamp }).delete(
      deleted)
    try store { $0.stress[1].stressLevel += 1 }
    #expect(try reprocess().isChanged)
    let levels = try repository.stress(of: session.id)
    #expect(levels.map(\.id) == derived.stress.dropFirst().map(\.id))
    #expect(levels.map(\.stressLevel) == derived.stress.dropFirst().map(\.stressLevel))
  }

  /// What is known of a level's way to other devices is not lost by deriving it again.
  @Test func testLevelThatIsTheSame_IsStillSynchronised() async throws {
    try store { $0.windows.removeLast() }
    var synchronised = try #require(try repository.stress(of: session.id).first)
    synchronised.isSynced = true
    try await StressRepository(database: database, person: nil, kind: .rmssd, now: { Date() }).save(synchronised)
    let change = try reprocess()
    #expect(change.windows.differing == 1 && change.stress.differing == 0)
    #expect(try repository.stress(of: session.id).map(\.isSynced).filter(\.self).count == 1)
  }

  @Test func testPendingRows_AreDerived() throws {
    let whole = try rows()
    #expect(
      try repository.store([SessionPiece(.beginning(session), SessionBatch(), derivation: .pending(.rmssd))]) == [nil])
    #expect(try rows().beats.isEmpty)
    #expect(try reprocess().kept == .nothing)
    #expect(try rows().beats == whole.beats)
    #expect(try repository.pendingDerivations().isEmpty)
  }
}
