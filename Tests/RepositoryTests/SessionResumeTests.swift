import FoundationEssentials
import GRDB
import Repository
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

/// What holds when a recording or a replay is cut off, resumed or repeated.
@Suite("Resumed and repeated sessions")
struct SessionResumeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let id = SessionFixture.id

  private static func begun(_ database: TachogramDatabase) throws -> SessionRepository {
    let repository = SessionRepository(database: database)
    try repository.begin(SessionFixture.description())
    return repository
  }

  // MARK: - The ledger stays

  @Test(arguments: TestStorage.allCases)
  func testBeginAgain_KeepsTheLedgerAndDropsWhatWasDerived(storage: TestStorage) throws {
    let database = try storage.open(in: folder)
    let repository = try Self.begun(database)
    var batch = SessionFixture.batch(0..<8)
    batch.gaps = [SessionFixture.gap(0, entry: 3)]
    batch.artifacts = [BeatArtifact(beat: 4, beatClass: .longShort, replacements: 1, milliseconds: 800)]
    batch.windows = [SessionFixture.window(endSecond: 8)]
    batch.stress = [SessionFixture.stress()]
    try repository.append(batch, to: Self.id)
    try repository.finish(Self.id)

    let other = SessionFixture.identifier(2)
    try repository.begin(SessionFixture.description(id: other))
    try repository.append(SessionFixture.batch(0..<8), to: other)

    #expect(try repository.begin(SessionFixture.description()) == 8)
    let record = try repository.session(matching: Self.id)
    #expect(!record.isComplete)
    #expect(record.entryCount == 8)
    #expect(record.beatCount == 0)
    #expect(record.gapCount == 0)
    #expect(try repository.artifacts(of: Self.id).isEmpty)
    #expect(try repository.windows(of: Self.id).isEmpty)
    #expect(try repository.stress(of: Self.id).isEmpty)
    #expect(try repository.links(of: Self.id) == batch.links)
    #expect(try SessionRepositoryTests.entries(repository) == batch.entries)
    // The other session is as it was.
    #expect(try repository.session(matching: other).beatCount == 10)

    try repository.append(batch, to: Self.id)
    try repository.finish(Self.id)
    #expect(try repository.session(matching: Self.id).isComplete)
    #expect(try SessionRepositoryTests.entries(repository) == batch.entries)
    #expect(try SessionRepositoryTests.beats(repository) == batch.beats)
    #expect(try repository.gaps(of: Self.id) == batch.gaps)
    #expect(try repository.artifacts(of: Self.id) == batch.artifacts)
    #expect(try repository.windows(of: Self.id) == batch.windows)
    #expect(try repository.stress(of: Self.id) == batch.stress)
    #expect(try database.checkIntegrity().isEmpty)
  }

  @Test func testBeginAgain_DescribesTheSessionAnew() throws {
    let repository = try Self.begun(.inMemory())
    let changed = SessionFixture.description(person: "Anna", characteristics: [0x2A19: [50]], startSecond: 1)
    try repository.begin(changed)
    #expect(try repository.sessions().map(\.description) == [changed])
  }

  @Test(arguments: [0, 1, 3, 5, 8, 10])
  func testCutOffAnywhere_ResumesToTheSameSession(cut: Int64) throws {
    // Given a replay that is killed after `cut` entries
    let killed = try TachogramDatabase.open(path: folder.database)
    let first = try Self.begun(killed)
    if cut > 0 { try first.append(SessionFixture.batch(0..<cut), to: Self.id) }
    try killed.close()

    // When it runs again, in batches that do not end where the first run ended
    let database = try TachogramDatabase.open(path: folder.database)
    let repository = SessionRepository(database: database)
    #expect(try repository.begin(SessionFixture.description()) == cut)
    for lower in stride(from: Int64(0), to: 10, by: 4) {
      try repository.append(SessionFixture.batch(lower..<min(10, lower + 4)), to: Self.id)
    }
    try repository.finish(Self.id)

    // Then it holds what an undisturbed one holds
    let whole = SessionFixture.batch(0..<10)
    #expect(try SessionRepositoryTests.entries(repository) == whole.entries)
    #expect(try SessionRepositoryTests.beats(repository) == whole.beats)
    #expect(try database.checkIntegrity().isEmpty)
  }

  @Test(arguments: [
    SessionFixture.entry(2, content: .notification([0x10, 60, 2, 4])),
    SessionFixture.entry(2, content: .notification([])),
    SessionFixture.entry(2, content: .linkDown(reason: 8)),
    SessionFixture.entry(2, link: 1),
    LedgerEntry(
      sequence: 2, link: 0, monotonic: SessionFixture.entry(3).monotonic, wall: SessionFixture.entry(2).wall,
      content: SessionFixture.entry(2).content,
    ),
    LedgerEntry(
      sequence: 2, link: 0, monotonic: SessionFixture.entry(2).monotonic, wall: SessionFixture.entry(3).wall,
      content: SessionFixture.entry(2).content,
    ),
  ])
  func testConflictingPrefix_IsRefusedWhole(conflicting: LedgerEntry) throws {
    let repository = try Self.begun(.inMemory())
    let stored = SessionFixture.batch(0..<4)
    try repository.append(stored, to: Self.id)
    try repository.begin(SessionFixture.description())
    var batch = SessionFixture.batch(0..<8)
    batch.links.append(SessionFixture.link(1))
    batch.entries[2] = conflicting
    #expect(throws: RepositoryError.ledgerConflict(session: Self.id, sequence: 2)) {
      try repository.append(batch, to: Self.id)
    }
    #expect(try SessionRepositoryTests.entries(repository) == stored.entries)
    #expect(try SessionRepositoryTests.beats(repository).isEmpty)
    #expect(try repository.links(of: Self.id) == stored.links)
  }

  @Test func testLink_KeepsItsBootAndHandle() throws {
    let repository = try Self.begun(.inMemory())
    var batch = SessionBatch()
    batch.links = [SessionFixture.link()]
    try repository.append(batch, to: Self.id)
    // How the handle is known may become clearer.
    batch.links[0].handleSource = .given
    try repository.append(batch, to: Self.id)
    #expect(try repository.links(of: Self.id) == batch.links)
    let stored = batch.links[0]
    var other = batch
    other.links[0].handle = 0x0042
    var otherBoot = batch
    otherBoot.links[0].bootID = nil
    for changed in [other, otherBoot] {
      #expect(throws: RepositoryError.linkConflict(session: Self.id, number: 0)) {
        try repository.append(changed, to: Self.id)
      }
    }
    #expect(try repository.links(of: Self.id) == [stored])
  }

  // MARK: - Order

  @Test func testHole_IsRefused() throws {
    let repository = try Self.begun(.inMemory())
    try repository.append(SessionFixture.batch(0..<4), to: Self.id)
    var entries = SessionBatch()
    entries.entries = [SessionFixture.entry(5)]
    #expect(throws: RepositoryError.sequenceHole(session: Self.id, table: "ledger", expected: 4, found: 5)) {
      try repository.append(entries, to: Self.id)
    }
    var beats = SessionBatch()
    beats.beats = [SessionFixture.beat(4, entry: 3)]
    #expect(throws: RepositoryError.sequenceHole(session: Self.id, table: "beat", expected: 5, found: 4)) {
      try repository.append(beats, to: Self.id)
    }
    var gaps = SessionBatch()
    gaps.gaps = [SessionFixture.gap(1, entry: 3)]
    #expect(throws: RepositoryError.sequenceHole(session: Self.id, table: "gap", expected: 0, found: 1)) {
      try repository.append(gaps, to: Self.id)
    }
  }

  @Test func testDerivedWithoutItsEntry_IsRefusedWhole() throws {
    let repository = try Self.begun(.inMemory())
    var beats = SessionFixture.batch(0..<2)
    beats.beats.append(SessionFixture.beat(3, entry: 2))
    var gaps = SessionFixture.batch(0..<2)
    gaps.gaps = [SessionFixture.gap(0, entry: 2)]
    var links = SessionFixture.batch(0..<2)
    links.links = []
    for batch in [beats, gaps, links] {
      #expect {
        try repository.append(batch, to: Self.id)
      } throws: { error in
        error as? RepositoryError == .contradiction(path: ":memory:", detail: "FOREIGN KEY constraint failed")
      }
      #expect(try repository.session(matching: Self.id).entryCount == 0)
      #expect(try repository.links(of: Self.id).isEmpty)
    }
  }

  // MARK: - Stress

  @Test func testStress_BelongsToTheSessionItIsAppendedTo() throws {
    let repository = try Self.begun(.inMemory())
    var batch = SessionBatch()
    batch.stress = [SessionFixture.stress(sessionID: nil)]
    try repository.append(batch, to: Self.id)
    #expect(try repository.stress(of: Self.id).map(\.sessionID) == [Self.id])
  }

  @Test func testDeletedStress_StaysDeletedWhenDerivedAgain() async throws {
    let database = try TachogramDatabase.inMemory()
    let repository = try Self.begun(database)
    var batch = SessionBatch()
    batch.stress = [SessionFixture.stress(), SessionFixture.stress(second: 5)]
    try repository.append(batch, to: Self.id)
    let stress = StressRepository(database: database, person: nil, kind: .sdnn, now: { Date() })
    try await stress.delete(batch.stress[0])
    try repository.begin(SessionFixture.description())
    try repository.append(batch, to: Self.id)
    #expect(try repository.stress(of: Self.id) == [batch.stress[1]])
    #expect(try await stress.fetchAll() == [batch.stress[1]])
  }

  @Test func testDeletedSession_TakesAllButTheMeasurementsWithIt() async throws {
    let database = try TachogramDatabase.inMemory()
    let repository = try Self.begun(database)
    var batch = SessionFixture.batch(0..<8)
    batch.gaps = [SessionFixture.gap(0, entry: 3)]
    batch.artifacts = [BeatArtifact(beat: 4, beatClass: .longShort, replacements: 1, milliseconds: 800)]
    batch.windows = [SessionFixture.window(endSecond: 8)]
    batch.stress = [SessionFixture.stress()]
    try repository.append(batch, to: Self.id)
    try await database.writer.write { db in try db.execute(sql: "DELETE FROM session") }
    for table in ["link", "ledger", "beat", "gap", "artifact", "hrv_window", "session_characteristic"] {
      #expect(try await database.writer.read { db in try Table(table).fetchCount(db) } == 0)
    }
    let stress = StressRepository(database: database, person: nil, kind: .sdnn, now: { Date() })
    #expect(try await stress.fetchAll().map(\.sessionID) == [nil])
    #expect(try database.checkIntegrity().isEmpty)
  }
}
