import Foundation
import GRDB
import Logging
import Repository
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

@testable import Station

/// Adding what was received while the database could not be written.
@Suite("Adding an interim database")
struct InterimLedgerTests {
  private static let address = BluetoothAddress(value: 0xC8DE_ADBE_EF17, kind: .random)
  private static let start = WallTime(microseconds: 1_790_000_000_000_000)

  private let folder: TemporaryFolder
  private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  private var path: String { folder.path("t.sqlite") }
  private var ledger: InterimLedger { InterimLedger(database: path) }

  init() throws { folder = try TemporaryFolder() }

  private func entries(_ numbers: Range<Int64>, rate: UInt8 = 60) -> [LedgerEntry] {
    numbers.map { number in
      LedgerEntry(
        sequence: number, link: 0, monotonic: MonotonicTime(microseconds: 1_000_000).advanced(by: .seconds(number)),
        wall: Self.start.advanced(by: .seconds(number)),
        content: .notification([0x10, rate, UInt8(truncatingIfNeeded: number % 7), 4]))
    }
  }

  /// Stores a session without an end.
  private func store(_ id: String, _ entries: [LedgerEntry], in database: TachogramDatabase) throws {
    var batch = SessionBatch()
    batch.links = [StrapLink(number: 0, bootID: "boot", handle: 0x10, handleSource: .discovered)]
    batch.entries = entries
    try SessionRepository(database: database).begin(
      SessionDescription(
        id: id, strap: StrapIdentity(address: Self.address, characteristics: [0x2A38: [1]]), origin: .live,
        start: Self.start, monotonicStart: MonotonicTime(microseconds: 1_000_000)), with: batch)
  }

  private func storeInterim(_ sessions: [(id: String, entries: [LedgerEntry])]) throws {
    let interim = try InterimLedger.open(ledger.path)
    for session in sessions { try store(session.id, session.entries, in: interim) }
    try interim.close()
  }

  /// Returns the values of all entries of all sessions, in the order of their times.
  private func values(_ database: TachogramDatabase) throws -> Set<[String]> {
    var found: Set<[String]> = []
    let repository = SessionRepository(database: database)
    for session in try repository.sessions() {
      try repository.forEachEntry(of: session.description.id) { entries in
        for entry in entries { found.insert(["\(entry.wall)", "\(entry.content)"]) }
      }
    }
    return found
  }

  private func expected(_ entries: [LedgerEntry]) -> Set<[String]> {
    Set(entries.map { ["\($0.wall)", "\($0.content)"] })
  }

  /// A part of the session was added before a failure, and the recorder continued it; once with as many entries as the interim one.
  @Test(arguments: [120, 300, 350] as [Int64])
  func testSessionThatWasContinuedAfterAPart_KeepsBothEnds(count: Int64) throws {
    let (whole, part) = (entries(0..<300), entries(0..<100))
    let continued = entries(100..<count, rate: 90)
    try storeInterim([("00000009-aaaa-8bbb-9ccc-ddddeeeeffff", whole)])
    let database = try TachogramDatabase.open(path: path, for: .recording)
    try store("00000009-aaaa-8bbb-9ccc-ddddeeeeffff", part + continued, in: database)
    #expect(ledger.merge(into: database, kind: .rmssd, logger) == nil)
    #expect(try values(database) == expected(whole + continued))
    #expect(!FileManager.default.fileExists(atPath: ledger.path))
    try database.close()
  }

  /// One that cannot be added does not keep the others from being added, and is kept; nothing continues a session meanwhile.
  @Test func testSessionThatCannotBeAdded_IsKept_AndTheOthersAreAdded() throws {
    let (other, later) = ("00000009-aaaa-8bbb-9ccc-ddddeeeeffff", "0000000a-aaaa-8bbb-9ccc-ddddeeeeffff")
    try storeInterim([
      (other, entries(0..<300)),
      (
        later,
        entries(1_000..<1_100).map { entry in
          LedgerEntry(
            sequence: entry.sequence - 1_000, link: 0, monotonic: entry.monotonic, wall: entry.wall,
            content: entry.content)
        }
      ),
    ])
    let database = try TachogramDatabase.open(path: path, for: .recording)
    // Its middle differs.
    try store(other, entries(0..<100) + entries(100..<200, rate: 90) + entries(200..<250), in: database)
    try database.close()
    let databases = try StationDatabases.open(path, kind: .rmssd, copies: SnapshotFolder(nil, database: path), logger) {
      () throws(RepositoryError) in
      try TachogramDatabase.open(path: path, for: .recording)
    }
    #expect(try #require(databases.problem).contains(ledger.path))
    #expect(!databases.isHeldBack && !databases.mayContinueSessions)
    #expect(FileManager.default.fileExists(atPath: ledger.path))
    #expect(try SessionRepository(database: databases.database).storedSession(later)?.entryCount == 100)
    try databases.close()
  }

  @Test func testDamagedInterim_IsPutAsideWithItsLog() throws {
    for suffix in ["", "-wal", "-shm"] {
      try Data([1]).write(to: URL(fileURLWithPath: ledger.path + suffix))
    }
    let aside = try #require(ledger.setAside())
    for suffix in ["", "-wal", "-shm"] {
      #expect(FileManager.default.fileExists(atPath: aside + suffix))
      #expect(!FileManager.default.fileExists(atPath: ledger.path + suffix))
    }
  }

  // MARK: - Logs without their file

  /// Until the first checkpoint, a log holds the whole database; SQLite deletes that of an empty file.
  @Test(arguments: [true, false])
  func testLogBesideAMissingOrEmptyFile_IsKept(isMissing: Bool) throws {
    let source = folder.path("source.sqlite")
    let database = try TachogramDatabase.open(path: source, for: .recording)
    try store("00000009-aaaa-8bbb-9ccc-ddddeeeeffff", entries(0..<300), in: database)
    let log = try Data(contentsOf: URL(fileURLWithPath: source + "-wal"))
    #expect(!log.isEmpty)
    try log.write(to: URL(fileURLWithPath: path + "-wal"))
    if !isMissing { try Data().write(to: URL(fileURLWithPath: path)) }
    try database.close()

    let copies = SnapshotFolder(nil, database: path)
    let databases = try StationDatabases.open(path, kind: .rmssd, copies: copies, logger) {
      () throws(RepositoryError) in
      try TachogramDatabase.open(path: path, for: .recording)
    }
    #expect(databases.isHeldBack == !isMissing)
    try databases.close()
    if !isMissing {
      #expect(throws: RepositoryError.emptied(path: path, copies: copies.path)) {
        try TachogramDatabase.openReadOnly(path: path)
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("")).filter {
      $0.hasPrefix("t.sqlite-wal") && $0.hasSuffix("-wal") == !isMissing
    }
    let name = try #require(names.first)
    #expect(names.count == 1 && name.hasPrefix("t.sqlite-wal.left-") == isMissing)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path(name))) == log)
  }

  // MARK: - Space

  @Test func testSizeInMemory_GrowsWithWhatIsStored() throws {
    let database = try TachogramDatabase.inMemory()
    let before = try database.contentSize()
    try store("00000009-aaaa-8bbb-9ccc-ddddeeeeffff", entries(0..<10_000), in: database)
    let grown = try database.contentSize() - before
    #expect((300_000...3_000_000).contains(grown), "10,000 entries take \(grown) bytes")
  }
}
