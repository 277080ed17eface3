import Foundation
import Repository
import TachogramCore
import TachogramTestKit
import Testing

@Suite("Snapshots")
struct SnapshotFolderTests {
  private let folder: TemporaryFolder
  private let database: TachogramDatabase
  private let snapshots: SnapshotFolder

  init() throws {
    folder = try TemporaryFolder()
    database = try .open(path: folder.path("t.sqlite"))
    snapshots = SnapshotFolder(nil, database: folder.path("t.sqlite"))
    let strap = KnownStrap(
      address: BluetoothAddress(value: 1, kind: .public), name: "mine", added: WallTime(microseconds: 0))
    try StrapRepository(database: database).remember(strap)
  }

  private static func hour(_ hour: Int64) -> WallTime {
    WallTime(microseconds: 1_767_225_600_000_000 + hour * 3_600_000_000)
  }

  private static let session = SessionDescription(
    id: "00000000-0000-8000-8000-000000000001",
    strap: StrapIdentity(address: BluetoothAddress(value: 1, kind: .public)), origin: .live, start: hour(0),
    monotonicStart: MonotonicTime(microseconds: 0))

  /// A notification a second.
  private static func heard(_ seconds: Range<Int64>) -> SessionBatch {
    var batch = SessionBatch()
    if seconds.lowerBound == 0 {
      batch.links = [StrapLink(number: 0, bootID: nil, handle: 1, handleSource: .discovered)]
    }
    batch.entries = seconds.map { second in
      LedgerEntry(
        sequence: second, link: 0, monotonic: MonotonicTime(microseconds: second * 1_000_000),
        wall: hour(0).advanced(byMicroseconds: second * 1_000_000), content: .notification([0, 60]))
    }
    return batch
  }

  /// What can be derived again is nothing new, and all else is.
  @Test func testCopy_HoldsAllUntilSomethingIsStored() throws {
    let session = Self.session
    let repository = SessionRepository(database: database)
    func holdsAll() throws -> Bool { try snapshots.holdsAll(of: database, at: Self.hour(9)) }
    let empty = try TachogramDatabase.open(path: folder.path("empty.sqlite"))
    #expect(try snapshots.holdsAll(of: empty, at: Self.hour(9)))
    #expect(try !holdsAll())
    var hour: Int64 = 0
    func expectNew(_ what: String, _ body: () throws -> Void) throws {
      try body()
      #expect(try !holdsAll(), "\(what)")
      #expect(try snapshots.add(database, at: Self.hour(hour), keep: 2) == [])
      #expect(try holdsAll(), "\(what)")
      hour += 1
    }
    try expectNew("a session") { try repository.begin(session, with: Self.heard(0..<20)) }
    try TrendRepository(database: database, timeZone: .gmt).refresh()
    #expect(try holdsAll())
    try expectNew("an entry") { try repository.append(Self.heard(20..<21), to: session.id) }
    try expectNew("its end") { try repository.finish(session.id) }
    try expectNew("a label") { try repository.merge([], into: session.id, label: "evening") }
    let annotations = AnnotationRepository(database: database)
    try expectNew("a note") { try annotations.change(session.id, SessionEdit(note: .some("long"))) }
    try expectNew("a marker") { _ = try annotations.mark(session.id, at: session.start, "coffee") }
    try expectNew("a reading") {
      let reading = HRVReading(
        id: SessionFixture.identifier(9), kind: .spot, person: nil, session: nil, start: session.start,
        duration: .seconds(60), coverage: 1, artifactShare: 0, count: 60)
      try ReadingRepository(database: database).add([reading])
    }
    snapshots.markStale()
    #expect(try !holdsAll())
  }

  /// A tenth of what is heard is much; where no copies are kept, none is made.
  @Test func testLargeDeletion_IsPrecededByACopy() throws {
    let repository = SessionRepository(database: database)
    var contents = SessionContents()
    try repository.begin(Self.session, with: Self.heard(0..<20))
    contents.notifications = 20
    try snapshots.addBeforeDeletion(contents, from: database, at: Self.hour(0))
    #expect(snapshots.snapshots().isEmpty)
    #expect(try snapshots.add(database, at: Self.hour(1), keep: 2) == [])
    try snapshots.addBeforeDeletion(contents, from: database, at: Self.hour(2))
    #expect(snapshots.snapshots().map(\.time) == [Self.hour(1)])
    try repository.append(Self.heard(20..<40), to: Self.session.id)
    contents.notifications = 3
    try snapshots.addBeforeDeletion(contents, from: database, at: Self.hour(2))
    #expect(snapshots.snapshots().map(\.time) == [Self.hour(1)])
    contents.notifications = 4
    try snapshots.addBeforeDeletion(contents, from: database, at: Self.hour(2), reserve: 1 << 60)
    #expect(snapshots.snapshots().map(\.time) == [Self.hour(1)])
    try snapshots.addBeforeDeletion(contents, from: database, at: Self.hour(2))
    #expect(snapshots.snapshots().map(\.time) == [2, 1].map(Self.hour))
  }

  @Test func testCopies_AreWholeAndTheOldestGo() throws {
    #expect(snapshots.path == folder.path("snapshots"))
    #expect(snapshots.snapshots().isEmpty)
    for hour in Int64(0)..<5 { #expect(try snapshots.add(database, at: Self.hour(hour), keep: 3) == []) }
    #expect(snapshots.snapshots().map(\.time) == [4, 3, 2].map(Self.hour))
    let newest = try #require(snapshots.snapshots().first)
    #expect(newest.path == snapshots.path + "/t-20260101T040000Z.sqlite")
    let copy = try TachogramDatabase.openReadOnly(path: newest.path)
    #expect(try StrapRepository(database: copy).straps().map(\.name) == ["mine"])
    #expect(try copy.checkIntegrity() == [])
    try copy.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: snapshots.path)
    #expect(names.filter { !$0.hasSuffix(".sqlite") } == [])
    let attributes = try FileManager.default.attributesOfItem(atPath: newest.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  @Test func testCopyThatWouldFillTheDisk_IsNotBegun() throws {
    #expect(try snapshots.add(database, at: Self.hour(0), keep: 1) == [])
    #expect(throws: RepositoryError.full(path: snapshots.path)) {
      try snapshots.add(database, at: Self.hour(1), keep: 1, reserve: 1 << 60)
    }
    #expect(snapshots.snapshots().map(\.time) == [Self.hour(0)])
  }

  @Test func testAdvice_NamesTheNewestCopyAndTheCommand() throws {
    #expect(snapshots.advice(database: "t.sqlite", at: Self.hour(1)).contains("There is no copy"))
    for hour in [Int64(0), 1] { #expect(try snapshots.add(database, at: Self.hour(hour), keep: 2) == []) }
    let advice = snapshots.advice(database: database.path, at: Self.hour(1))
    #expect(advice.contains("2026-01-01T01:00:00"))
    #expect(advice.contains("`tachogram restore --database \(database.path)`"))
  }

  @Test func testOtherFiles_AreLeftAlone() throws {
    #expect(try snapshots.add(database, at: Self.hour(0), keep: 1) == [])
    for name in ["t-mine.sqlite", "t-20269901T040000Z.sqlite", "other-20260101T040000Z.sqlite", "note.txt"] {
      try "x".write(toFile: snapshots.path + "/" + name, atomically: true, encoding: .utf8)
    }
    #expect(try snapshots.add(database, at: Self.hour(1), keep: 1) == [])
    #expect(snapshots.snapshots().map(\.time) == [Self.hour(1)])
    #expect(try FileManager.default.contentsOfDirectory(atPath: snapshots.path).count == 5)
  }

  /// A name that begins like the other, and one of another ending.
  @Test(arguments: ["t-x.sqlite", "t", "u.sqlite"])
  func testCopiesOfAnotherDatabaseInTheSameFolder_AreItsOwn(name: String) throws {
    #expect(try snapshots.add(database, at: Self.hour(0), keep: 1) == [])
    let path = (database.path.split(separator: "/").dropLast() + [Substring(name)]).joined(separator: "/")
    let other = try TachogramDatabase.open(path: "/" + path)
    defer { try? other.close() }
    let others = SnapshotFolder(nil, database: other.path)
    #expect(others.path == snapshots.path)
    #expect(try others.renew(other, at: Self.hour(1)) == [])
    #expect(others.snapshots().isEmpty)
    #expect(try others.add(other, at: Self.hour(2), keep: 1) == [])
    #expect(snapshots.snapshots().map(\.time) == [Self.hour(0)])
    #expect(others.snapshots().map(\.time) == [Self.hour(2)])
  }

  @Test func testRenewal_LeavesOneCopyWithoutWhatWasDeleted() throws {
    #expect(try snapshots.renew(database, at: Self.hour(0)) == [])
    #expect(snapshots.snapshots().isEmpty)
    for hour in Int64(0)..<3 { #expect(try snapshots.add(database, at: Self.hour(hour), keep: 3) == []) }
    let straps = StrapRepository(database: database)
    for strap in try straps.straps() { try straps.forget(strap) }
    try database.vacuum()
    #expect(try snapshots.renew(database, at: Self.hour(3)) == [])
    #expect(snapshots.snapshots().map(\.time) == [Self.hour(3)])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: snapshots.path + "/t-20260101T030000Z.sqlite"))
    #expect(bytes.range(of: Data("mine".utf8)) == nil)
  }

  /// That copies hold what was deleted is known behind a power cut, too.
  @Test func testStaleCopies_AreKnownUntilTheyAreRenewed() throws {
    snapshots.markStale()
    #expect(!snapshots.isStale)
    for hour in Int64(0)..<3 { #expect(try snapshots.add(database, at: Self.hour(hour), keep: 3) == []) }
    snapshots.markStale()
    #expect(SnapshotFolder(nil, database: database.path).isStale)
    #expect(snapshots.snapshots().count == 3)
    // Without room for a copy those that need not be go.
    #expect(throws: RepositoryError.full(path: snapshots.path)) {
      try snapshots.renew(database, at: Self.hour(4), reserve: 1 << 60)
    }
    #expect(snapshots.snapshots().map(\.time) == [Self.hour(2)])
    #expect(snapshots.isStale)
    #expect(try snapshots.renew(database, at: Self.hour(4)) == [])
    #expect(snapshots.snapshots().map(\.time) == [Self.hour(4)])
    #expect(!snapshots.isStale)
  }

  /// What is deleted while a copy is made may be in it.
  @Test func testDeletionDuringARenewal_LeavesTheMark() throws {
    #expect(try snapshots.add(database, at: Self.hour(0), keep: 1) == [])
    snapshots.markStale()
    let first = snapshots.markText()
    snapshots.markStale()
    snapshots.clearMark(first)
    #expect(first != nil && snapshots.isStale)
    snapshots.clearMark(snapshots.markText())
    #expect(!snapshots.isStale)
  }

  /// A clock that is behind the copies: a machine without one of its own, before the network told it the time.
  @Test func testClockThatWentBack_KeepsTheNewCopy() throws {
    for hour in [Int64(10), 11] { #expect(try snapshots.add(database, at: Self.hour(hour), keep: 2) == []) }
    #expect(try snapshots.add(database, at: Self.hour(0), keep: 2) == [])
    #expect(snapshots.snapshots().map(\.time) == [11, 0].map(Self.hour))
    #expect(snapshots.newest(at: Self.hour(0))?.time == Self.hour(0))
    #expect(snapshots.newest(at: Self.hour(12))?.time == Self.hour(11))
    #expect(try snapshots.add(database, at: Self.hour(1), keep: 2) == [])
    #expect(snapshots.snapshots().map(\.time) == [1, 0].map(Self.hour))
    #expect(try snapshots.add(database, at: Self.hour(5), keep: 2) == [])
    #expect(try snapshots.renew(database, at: Self.hour(2)) == [])
    #expect(snapshots.snapshots().map(\.time) == [Self.hour(2)])
  }

  /// A power cut while a copy was made.
  @Test func testCopyThatWasNotFinished_IsRemoved() throws {
    try FileManager.default.createDirectory(atPath: snapshots.path, withIntermediateDirectories: false)
    let names = ["t-20260101T040000Z.sqlite.part", "t-20260101T040000Z.sqlite.part-journal"]
    for name in names + ["t-2-20260101T040000Z.sqlite.part"] {
      try "x".write(toFile: snapshots.path + "/" + name, atomically: true, encoding: .utf8)
    }
    #expect(try snapshots.renew(database, at: Self.hour(0)) == [])
    let left = try FileManager.default.contentsOfDirectory(atPath: snapshots.path)
    #expect(left == ["t-2-20260101T040000Z.sqlite.part"])
  }

  @Test func testFolderThatCannotBeMade_IsAnError() throws {
    let nowhere = SnapshotFolder("/proc/nowhere", database: database.path)
    #expect(throws: RepositoryError.self) { try nowhere.add(database, at: Self.hour(0), keep: 1) }
  }
}
