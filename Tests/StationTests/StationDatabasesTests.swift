import Dashboard
import FileSystem
import Foundation
import GRDB
import Logging
import Recording
import Repository
import Sessions
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

@testable import Station

/// A station whose database cannot be brought up to date.
@Suite("Databases of the station")
struct StationDatabasesTests {
  private static let session = "00000009-aaaa-8bbb-9ccc-ddddeeeeffff"

  private let folder: TemporaryFolder
  private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  private var path: String { folder.path("t.sqlite") }
  private var interim: String { path + "-interim" }

  /// A database of version 7, with a view whose name a later version uses.
  init() throws {
    folder = try TemporaryFolder()
    let text = try FixtureLocator.databaseText(version: 7)
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    try change(configuration) { db in
      try db.execute(sql: text)
      try db.execute(sql: "CREATE VIEW marker_by_session AS SELECT 1")
    }
  }

  private func change(_ configuration: Configuration = Configuration(), _ body: (Database) throws -> Void) throws {
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction(body)
    try queue.close()
  }

  private func contents() throws -> [String] {
    var lines: [String] = []
    try change { db in
      lines = try String.fetchAll(
        db,
        sql: """
          SELECT name || coalesce(sql, '') FROM sqlite_schema UNION ALL SELECT identifier FROM grdb_migrations
          UNION ALL SELECT quote(id) || start_us || is_complete FROM session UNION ALL SELECT quote(value) FROM ledger
          """)
    }
    return lines
  }

  private func mend() throws {
    try change { db in try db.execute(sql: "DROP VIEW marker_by_session") }
  }

  private func open(
    openInterim: (String) throws(RepositoryError) -> TachogramDatabase = InterimLedger.open
  ) throws -> StationDatabases {
    try StationDatabases.open(
      path, kind: .rmssd, copies: SnapshotFolder(nil, database: path), logger,
      open: { () throws(RepositoryError) in try TachogramDatabase.open(path: path, for: .recording) },
      openInterim: openInterim)
  }

  /// Returns whether a station with these databases starts again after a change.
  private func restarts(_ held: StationDatabases, after change: () throws -> Void) async throws -> Bool {
    let (restarts, restart) = AsyncStream.makeStream(of: Void.self)
    let retry = StorageRetry(
      try #require(held.retry), database: path, copies: nil, memory: held.recording, interval: .milliseconds(1)
    ) { restart.yield() }
    let running = Task { try? await retry.run() }
    defer { running.cancel() }
    try change()
    var iterator = restarts.makeAsyncIterator()
    return await iterator.next() != nil
  }

  /// Stores a session of five minutes as a recorder does, with a note and a marker.
  private func record(into database: TachogramDatabase, isComplete: Bool) throws {
    let address = BluetoothAddress(value: 0xC8DE_ADBE_EF17, kind: .random)
    let session = SessionDescription(
      id: Self.session, strap: StrapIdentity(address: address, characteristics: [0x2A38: [1]]), origin: .live,
      person: "Anna", label: "ride", start: WallTime(microseconds: 1_790_000_000_000_000),
      monotonicStart: MonotonicTime(microseconds: 1_000_000))
    var batch = SessionBatch()
    batch.links = [StrapLink(number: 0, bootID: "boot", handle: 0x10, handleSource: .discovered)]
    batch.entries = (0..<300).map { second in
      LedgerEntry(
        sequence: second, link: 0, monotonic: session.monotonicStart.advanced(by: .seconds(second)),
        wall: session.start.advanced(by: .seconds(second)),
        content: .notification([0x10, 60, UInt8(truncatingIfNeeded: second % 7), 4]))
    }
    let repository = SessionRepository(database: database)
    try repository.begin(session, with: batch)
    if isComplete { try repository.finish(session.id) }
    let annotations = AnnotationRepository(database: database)
    try annotations.change(session.id, SessionEdit(note: "windy"))
    _ = try annotations.mark(session.id, at: session.start.advanced(by: .seconds(9)), "coffee")
  }

  @Test func testDatabaseThatIsUpToDate_IsRecordedInto() throws {
    try mend()
    let databases = try open()
    #expect(!databases.isHeldBack && databases.problem == nil)
    #expect(databases.recording.path == path)
    try databases.close()
    #expect(!FileManager.default.fileExists(atPath: interim))
  }

  @Test func testDatabaseThatIsHeldBack_IsReadAndWhatIsReceivedIsStoredBesideIt() throws {
    let before = try contents()
    let databases = try open()
    #expect(databases.isHeldBack && databases.recording.path == interim)
    let problem = try #require(databases.problem)
    #expect(problem.contains("marker_by_session") && problem.contains(interim))
    #expect(try SessionRepository(database: databases.database).sessions().count == 2)
    // Nobody replaces it meanwhile.
    #expect(throws: RepositoryError.self) { try DatabaseLock(database: path, for: .exclusive) }
    try record(into: databases.recording, isComplete: true)
    try databases.close()
    #expect(try contents() == before)
    // It is recorded into again at the next start.
    let again = try open()
    #expect(try SessionRepository(database: again.recording).sessions().map(\.description.id) == [Self.session])
    try again.close()
  }

  @Test func testInterimDatabaseThatCannotBeOpened_IsNamedWithItsRemedy() throws {
    let held = try open { (path: String) throws(RepositoryError) in
      throw .newerSchema(path: path, migrations: ["v99 dreams"])
    }
    let problem = try #require(held.isInMemory ? held.problem : nil)
    #expect(problem.contains("\(interim) was written by a newer version of tachogram"))
    #expect(problem.contains("Update tachogram") && !problem.contains("Make space"))
    try held.recording.close()
  }

  @Test func testWithoutSpace_WhatIsReceivedIsKeptInMemoryAndAddedLater() throws {
    let held = try open { (path: String) throws(RepositoryError) in
      throw .full(path: path)
    }
    #expect(held.isHeldBack && held.recording.path != interim)
    #expect(try #require(held.problem).contains("in memory"))
    try record(into: held.recording, isComplete: true)
    #expect(!FileManager.default.fileExists(atPath: interim))
    try held.close()
    #expect(FileManager.default.fileExists(atPath: interim))
    try mend()
    let databases = try open()
    let stored = try #require(try SessionRepository(database: databases.database).storedSession(Self.session))
    #expect((stored.entryCount, stored.note) == (300, "windy"))
    try databases.close()
  }

  /// As with a log on a read-only disk.
  @Test func testDatabaseThatCannotBeReadWithoutSpace_IsLeftAndItsHistoryNotShown() throws {
    let missing = folder.path("none.sqlite")
    let held = try StationDatabases.open(missing, kind: .rmssd, copies: SnapshotFolder(nil, database: missing), logger)
    { () throws(RepositoryError) in
      throw .full(path: missing)
    }
    #expect(held.isHeldBack && held.database.path == missing)
    #expect(try #require(held.problem).contains("no database yet"))
    try record(into: held.recording, isComplete: true)
    try held.close()
    let databases = try StationDatabases.open(
      missing, kind: .rmssd, copies: SnapshotFolder(nil, database: missing), logger
    ) { () throws(RepositoryError) in
      try TachogramDatabase.open(path: missing, for: .recording)
    }
    #expect(try SessionRepository(database: databases.database).sessions().map(\.description.id) == [Self.session])
    try databases.close()
  }

  /// A file that is no database, and one of which nothing is left.
  @Test(arguments: [Data(repeating: 0x5A, count: 8192), Data()])
  func testDamagedDatabase_IsLeft_UntilACopyIsRestored(contents: Data) throws {
    try mend()
    let copies = SnapshotFolder(nil, database: path)
    let address = BluetoothAddress(value: 0xC8DE_ADBE_EF17, kind: .random)
    let database = try TachogramDatabase.open(path: path)
    try StrapRepository(database: database).remember(
      KnownStrap(
        address: address, name: "Zebra strap", advertisedName: nil, isBonded: false,
        added: WallTime(microseconds: 1), person: nil, label: nil))
    #expect(try copies.add(database, at: WallTime(microseconds: 1_790_000_000_000_000), keep: 2) == [])
    try database.close()
    try contents.write(to: URL(fileURLWithPath: path))
    // As a power cut leaves it.
    try contents.write(to: URL(fileURLWithPath: path + "-wal"))
    #expect(throws: RepositoryError.self) { try DatabaseOpening.open(path, for: .recording, copies: copies) }
    let held = try open()
    #expect(held.isHeldBack && held.retry == .otherFile(FileVersion(of: path)) && held.recording.path == interim)
    #expect(try #require(held.problem).contains("Settings, Snapshots"))
    #expect(throws: RepositoryError.self) { try SessionRepository(database: held.database).sessions() }
    // It does not listen to any strap in range.
    #expect(try held.straps().map(\.name).contains("Zebra strap"))
    // One that was forgotten since the copy is not recorded.
    let mark = PairedMark(database: path)
    try mark.set([
      KnownStrap(address: address, name: "", advertisedName: nil, isBonded: false, added: WallTime(microseconds: 1))
    ])
    #expect(try held.straps().map(\.name) == ["Zebra strap"])
    try mark.set([])
    #expect(try mark.isSet && held.straps().isEmpty)
    try record(into: held.recording, isComplete: true)
    try held.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == contents)
    let copy = try #require(copies.snapshots().first)
    _ = try DatabaseRestoration.restore(copy.path, to: path)
    let databases = try open()
    #expect(!databases.isHeldBack && databases.problem == nil)
    #expect(try SessionRepository(database: databases.database).sessions().count == 3)
    #expect(try databases.straps().map(\.name).contains("Zebra strap"))
    try databases.close()
  }

  /// There is no copy before the first day has ended, and what is beside the file shows that it was a database.
  @Test func testDamagedDatabaseWithoutACopy_IsHeldBack_WithTheStrapsOfTheMark() throws {
    try mend()
    try open().close()
    try Data(repeating: 0x5A, count: 8192).write(to: URL(fileURLWithPath: path))
    let strap = KnownStrap(
      address: BluetoothAddress(value: 0xC8DE_ADBE_EF18, kind: .random), name: "Zebra strap", advertisedName: nil,
      isBonded: true, added: WallTime(microseconds: 1), person: "Anna")
    let mark = PairedMark(database: path)
    try mark.set([strap])
    let held = try open()
    #expect(held.isHeldBack && held.recording.path == interim)
    #expect(try #require(held.problem).contains("no snapshot"))
    let straps = try held.straps()
    #expect(straps.map(\.address) == [strap.address] && straps.first?.isBonded == true && straps.first?.person == nil)
    // A strap that was forgotten is not recorded, though a copy has it.
    try mark.set([])
    #expect(try held.straps().isEmpty)
    try mark.set([strap])
    try held.close()
    // So is one of which nothing is left.
    try Data().write(to: URL(fileURLWithPath: path))
    let emptied = try open()
    #expect(emptied.isHeldBack && emptied.database.path == path)
    try emptied.close()
    // A file that never was one is refused.
    let other = folder.path("other.txt")
    try Data(repeating: 0x5A, count: 8192).write(to: URL(fileURLWithPath: other))
    #expect(throws: RepositoryError.notADatabase(path: other)) {
      _ = try StationDatabases.open(
        other, kind: .rmssd, copies: SnapshotFolder(nil, database: other), logger
      ) { () throws(RepositoryError) in try TachogramDatabase.open(path: other, for: .recording) }
    }
  }

  /// Somebody may remove the file, so that a new database begins.
  @Test func testDamagedDatabase_IsOpenedAgain_WhenItIsAnotherFile() async throws {
    try Data(repeating: 0x5A, count: 8192).write(to: URL(fileURLWithPath: path))
    let copies = SnapshotFolder(nil, database: path)
    try FileManager.default.createDirectory(atPath: copies.path, withIntermediateDirectories: false)
    try Data([1]).write(to: URL(fileURLWithPath: "\(copies.path)/t-20260101T000000Z.sqlite"))
    let held = try open()
    defer { try? held.close() }
    #expect(try await restarts(held) { try FileManager.default.removeItem(atPath: path) })
  }

  @Test func testDamagedInterimDatabase_IsPutAside() throws {
    try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: interim))
    let held = try open()
    #expect(held.recording.path == interim && held.retry == .update)
    try held.close()
    let aside = try FileManager.default.contentsOfDirectory(atPath: folder.path("")).filter { $0.contains(".damaged-") }
    #expect(aside.count == 1)
  }

  /// The disk can be written, and yet nothing can be stored there: the station does not start again and again.
  @Test func testInterimDatabaseThatCannotBeOpened_IsWaitedFor() throws {
    try FileManager.default.createDirectory(atPath: interim, withIntermediateDirectories: false)
    let held = try open()
    #expect(held.isInMemory && held.retry == .space && !InterimLedger(database: path).canBeOpened)
    try FileManager.default.removeItem(atPath: interim)
    #expect(InterimLedger(database: path).canBeOpened && !FileManager.default.fileExists(atPath: interim))
    try held.close()
  }

  /// A page of the table of straps may be the damaged one.
  @Test func testStrapsThatCannotBeRead_AreThoseOfACopy() throws {
    try mend()
    let (databases, copies) = (try open(), SnapshotFolder(nil, database: path))
    #expect(try copies.add(databases.database, at: WallTime(microseconds: 1_790_000_000_000_000), keep: 2) == [])
    let straps = try databases.straps()
    #expect(!straps.isEmpty)
    try change { db in try db.execute(sql: "ALTER TABLE known_strap RENAME TO lost") }
    #expect(try databases.straps() == straps)
    try databases.close()
  }

  /// A copy that this version cannot bring up to date can be restored, for the previous version.
  @Test func testCopyThatCannotBeBroughtUpToDate_IsPutInPlaceAsItIs() throws {
    let copy = folder.path("copy.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    try mend()
    let databases = try open()
    try databases.close()
    let result = try DatabaseRestoration.restore(copy, to: path)
    #expect(result.doubt == .notMigrated && result.straps.isEmpty)
    #expect(try contents().contains { $0.hasPrefix("marker_by_session") })
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("")).allSatisfy { !$0.contains(".restored-") })
  }

  @Test func testUpdateThatFailsAgain_MakesNoOtherCopy() throws {
    let copies = SnapshotFolder(nil, database: path)
    for _ in 0..<3 {
      #expect(throws: RepositoryError.self) { try DatabaseOpening.open(path, for: .recording, copies: copies) }
    }
    #expect(copies.snapshots().count == 1)
    // A copy that lacks something is followed by another one.
    try change { db in try db.execute(sql: "UPDATE session SET label = 'changed'") }
    #expect(throws: RepositoryError.self) { try DatabaseOpening.open(path, for: .recording, copies: copies) }
    #expect((1...2).contains(copies.snapshots().count))
  }

  @Test(arguments: [true, false])
  func testInterimDatabase_IsAddedWhenTheDatabaseIsUpToDate(isComplete: Bool) throws {
    let held = try open()
    try record(into: held.recording, isComplete: isComplete)
    let received = try SessionRepository(database: held.recording).storedSession(Self.session)
    try held.close()
    try mend()
    let databases = try open()
    #expect(!databases.isHeldBack && databases.problem == nil)
    #expect(!FileManager.default.fileExists(atPath: interim))
    #expect(!FileManager.default.fileExists(atPath: interim + "-lock"))
    let repository = SessionRepository(database: databases.database)
    let stored = try #require(try repository.storedSession(Self.session))
    #expect(try repository.sessions().count == 3)
    #expect(stored.description == received?.description)
    #expect((stored.entryCount, stored.note, stored.isComplete) == (300, "windy", isComplete))
    #expect(stored.beatCount == 300)
    #expect(try repository.markers(of: Self.session).map(\.text) == ["coffee"])
    #expect(try repository.windows(of: Self.session).isEmpty == false)
    #expect(try !repository.pendingDerivations().map(\.session.description.id).contains(Self.session))
    try databases.close()
  }

  /// A power cut after some of the entries were added.
  @Test func testAdditionThatWasInterrupted_IsCompleted() throws {
    let held = try open()
    try record(into: held.recording, isComplete: true)
    let source = SessionRepository(database: held.recording)
    try mend()
    let target = try TachogramDatabase.open(path: path)
    let record = try #require(try source.storedSession(Self.session))
    var batch = SessionBatch()
    batch.links = try source.links(of: Self.session)
    try source.forEachEntry(of: Self.session) { batch.entries = Array($0.prefix(120)) }
    let refusals = try SessionRepository(database: target).store([
      SessionPiece(.beginning(record.description), batch, derivation: .pending(.rmssd))
    ])
    #expect(refusals == [nil])
    try target.close()
    try held.close()
    let databases = try open()
    let stored = try #require(try SessionRepository(database: databases.database).storedSession(Self.session))
    #expect(stored.entryCount == 300 && stored.beatCount == 300)
    #expect(!FileManager.default.fileExists(atPath: interim))
    try databases.close()
  }

  @Test func testInterimDatabaseThatCannotBeRead_IsKeptAndReported() throws {
    try mend()
    try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: interim))
    let databases = try open()
    let problem = try #require(databases.problem)
    #expect(problem.contains(interim))
    try databases.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: interim)) == Data(repeating: 0x41, count: 8192))
  }

  @Test func testRetry_RestartsTheStationWhenTheDatabaseIsUpToDate() async throws {
    let held = try open()
    defer { try? held.close() }
    #expect(try await restarts(held) { try mend() })
    try TachogramDatabase.openReadOnly(path: path).close()
  }

  @Test func testChange_IsRefusedWithAConflict() async throws {
    let held = try open()
    defer { try? held.close() }
    let refusal = DashboardError(.conflict, RepositoryError.heldBack(path: path).description)
    await #expect(throws: refusal) {
      try await QueryQueue().run { [database = held.database] in
        try SessionRepository(database: database).finish(Self.session)
      }
    }
  }
}
