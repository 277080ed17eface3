import Foundation
import GRDB
import Repository
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

/// Databases of all released schemas (`Fixtures/databases`), opened with the program of today.
@Suite("Migrations")
struct MigrationTests {
  private let folder: TemporaryFolder
  /// Where upgrades fail.
  private let faulty: TemporaryFolder
  private let disk: FaultyDisk

  init() throws {
    folder = try TemporaryFolder()
    faulty = try TemporaryFolder()
    disk = try FaultyDisk(folder: faulty.url.path)
  }

  static let versions = 1...12
  private static let anna = SessionFixture.identifier(1)

  /// The rows of the tables and columns that a database has, or those of another one's tables and columns.
  private static func rows(_ db: Database, _ columns: [String: [String]]) throws -> [String] {
    try columns.sorted { $0.key < $1.key }.flatMap { table, columns in
      let values = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ' ' || ")
      return try String.fetchAll(db, sql: "SELECT \(values) FROM \(table)").sorted().map { "\(table): \($0)" }
    }
  }

  private static func columns(_ db: Database) throws -> [String: [String]] {
    let tables = try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'")
    return try Dictionary(
      uniqueKeysWithValues: tables.filter { $0 != "grdb_migrations" }
        .map { table in (table, try db.columns(in: table).map(\.name)) })
  }

  private static func schema(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY 1")
  }

  // MARK: - A copy before

  /// Whoever copies it before has all of it as it was; a new database, and one that is up to date, have nothing to copy.
  @Test func testOlderDatabase_CanBeCopiedBefore() throws {
    for version in Self.versions {
      let (path, copy) = (folder.path("\(version)"), folder.path("\(version).copy"))
      try ReleasedDatabase.make(version, at: path)
      let before = try DatabaseQueue(path: path).read(Self.schema)
      var copies = 0
      func open() throws {
        try TachogramDatabase.open(path: path) { database in
          copies += 1
          let findings = try? database.snapshot(to: copy)
          #expect(findings == [])
        }.close()
      }
      try open()
      let isOlder = version < Self.versions.upperBound
      #expect(copies == (isOlder ? 1 : 0), "\(version)")
      if isOlder { #expect(try DatabaseQueue(path: copy).read(Self.schema) == before) }
      try open()
      #expect(copies == (isOlder ? 1 : 0), "\(version)")
    }
    try TachogramDatabase.open(path: folder.path("new")) { _ in Issue.record("there is nothing to copy") }.close()
  }

  // MARK: - What is kept

  @Test(arguments: versions)
  func testOlderDatabase_KeepsEveryValue(version: Int) throws {
    try ReleasedDatabase.make(version, at: folder.database)
    let before = try DatabaseQueue(path: folder.database).read { db in
      let columns = try Self.columns(db)
      return (columns: columns, rows: try Self.rows(db, columns))
    }
    let database = try TachogramDatabase.open(path: folder.database)
    try database.writer.read { db in
      let rows = try Self.rows(db, before.columns)
      #expect(rows == before.rows)
      #expect(try Self.schema(db) == TachogramDatabase.inMemory().writer.read(Self.schema))
    }
    #expect(try database.checkIntegrity() == [])
  }

  /// Through the repositories, as the program reads it.
  @Test(arguments: versions)
  func testOlderDatabase_ReadsAsBefore(version: Int) async throws {
    try ReleasedDatabase.make(version, at: folder.database)
    let database = try TachogramDatabase.open(path: folder.database)
    let repository = SessionRepository(database: database)
    let records = try repository.sessions()
    #expect(records.map(\.description.id) == [2, 1].map(SessionFixture.identifier))
    #expect(records.map(\.description.person) == [nil, "Anna"])
    #expect(records.map(\.description.origin) == [.replay, .live])
    #expect(records.map(\.isComplete) == [false, true])
    #expect(records.map(\.entryCount) == [version >= 10 ? 13 : 12, 12])
    #expect(records.map(\.beatCount) == [10, 10])
    #expect(records.map(\.description.label) == [nil, version >= 2 ? "night" : nil])
    #expect(records.map(\.note) == [nil, version >= 8 ? "slept well\nno alarm" : nil])
    #expect(try repository.markers(of: Self.anna).map(\.text) == (version >= 8 ? ["coffee"] : []))
    let readings = try ReadingRepository(database: database).readings(of: "Anna", kind: .morning)
    #expect(readings.map(\.rmssd) == (version >= 8 ? [41.125] : []))
    #expect(records.map(\.description.madeFrom) == [version >= 5 ? "kubios-text" : nil, nil])
    // Heard here before installations had identifiers, or by one that has.
    let device = version >= 7 ? "5f0c8c9e-3b1a-4c5e-9d7f-2a6b8e4d1c03" : SessionDescription.unknownDevice
    #expect(records.map(\.description.deviceID) == [nil, device])
    #expect(records.map(\.description.strap.address.kind) == [.public, .random])
    #expect(records.allSatisfy { $0.description.strap.characteristics == [0x2A00: Array("Strap".utf8)] })
    let entries = try SessionRepositoryTests.entries(repository)
    #expect(entries[1].content == .notification([0x10, 61, 1, 4]))
    #expect(entries[6].content == .linkDown(reason: 8))
    #expect(entries[9].content == .notification([]))
    #expect(entries.map(\.link) == [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    #expect(try repository.gaps(of: Self.anna).map(\.reason) == [.linkDown])
    #expect(try repository.windows(of: Self.anna).map(\.metrics.values.sdsd) == [nil, nil, nil, nil])
    #expect(try repository.artifacts(of: Self.anna).map(\.beatClass) == (version >= 3 ? [.extra, .missed] : []))
    let straps = try StrapRepository(database: database).straps()
    #expect(straps.map(\.name) == (version >= 2 ? ["blue"] : []))
    #expect(straps.map(\.person) == (version >= 2 ? [version >= 4 ? "Anna" : nil] : []))
    let now = SessionFixture.stress().timestamp
    let stress = StressRepository(database: database, person: "Anna", kind: .sdnn, now: { now })
    #expect(try await stress.fetchAll().map(\.sessionID) == [Self.anna])
    #expect(try await stress.getBaseline().hourlyHRV == [0: 51.5, 23: 60])
    let nobodys = StressRepository(database: database, person: nil, kind: .sdnn, now: { now })
    #expect(try await nobodys.fetchAll().map(\.sessionID) == [nil])
  }

  /// What was recorded here before installations had identifiers gets one, with its stress levels, and nothing else does.
  @Test func testRecordings_GetTheIdentifierOfTheirInstallation() async throws {
    let database = try TachogramDatabase.open(path: folder.database)
    let repository = SessionRepository(database: database)
    // Heard here, heard by another station, and replayed.
    let (unknown, other) = (SessionDescription.unknownDevice, "a-station")
    let devices = [unknown, other, nil]
    for (number, device) in devices.enumerated() {
      var session = SessionFixture.description(
        id: SessionFixture.identifier(number), startSecond: Int64(number) * 1000)
      session.deviceID = device
      session.origin = device == nil ? .replay : .live
      try repository.begin(session)
      var batch = SessionBatch()
      var stress = SessionFixture.stress(second: Double(number) * 1000, sessionID: session.id)
      stress.deviceID = session.derivedDeviceID
      batch.stress = [stress]
      try repository.append(batch, to: session.id)
    }
    for _ in 0..<2 { try repository.nameRecordings("here") }
    let found = try devices.indices.map { number in
      let id = SessionFixture.identifier(number)
      let session = try repository.session(matching: id).description
      return try [session.deviceID] + repository.stress(of: id).map(\.deviceID)
    }
    #expect(found == [["here", "here"], [other, other], [nil, "replay"]])
  }

  /// What was recorded before there were roll-ups is in them, and what comes later too.
  @Test(arguments: versions)
  func testOlderDatabase_GetsItsTrends(version: Int) throws {
    try ReleasedDatabase.make(version, at: folder.database)
    let database = try TachogramDatabase.open(path: folder.database)
    let trends = TrendRepository(database: database, timeZone: .gmt)
    let first = CivilDay(number: SessionFixture.wallStart / 86_400_000_000)
    try trends.refresh()
    for (person, day) in [("Anna", first), (nil, first.advanced(by: 1))] {
      let points = try trends.points(of: person, .day, last: day).points
      #expect(points.map(\.minutes) == [1, 2])
      #expect(points.map(\.meanHeartRate) == [119, 120.5])
      #expect(points.map(\.sdnn) == [50.25, 50.25])
    }
    #expect(try trends.points(of: "Anna", .week, last: first).points.map(\.minutes) == (version >= 4 ? [480, 3] : [3]))
    var batch = SessionBatch()
    var values = HRVValues()
    values.meanHeartRate = 100
    batch.windows = [SessionFixture.window(endSecond: 5 + 2 * 3600, length: 300, values: values)]
    try SessionRepository(database: database).append(batch, to: Self.anna)
    try trends.refresh()
    #expect(try trends.points(of: "Anna", .day, last: first).points.map(\.minutes) == [1, 2, 1])
  }

  // MARK: - What is refused

  @Test(arguments: versions)
  func testDatabaseOfALaterProgram_IsRefusedAndLeftAsItWas(version: Int) throws {
    try ReleasedDatabase.make(version, at: folder.database)
    let queue = try DatabaseQueue(path: folder.database)
    try queue.write { db in try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('v99 dreams')") }
    try queue.close()
    let before = try folder.read()
    let error = RepositoryError.newerSchema(path: folder.database, migrations: ["v99 dreams"])
    #expect(throws: error) { try TachogramDatabase.open(path: folder.database) }
    #expect(throws: error) { try TachogramDatabase.openReadOnly(path: folder.database) }
    #expect(try folder.read() == before)
  }

  @Test(arguments: versions.dropLast())
  func testOlderDatabaseForReading_IsRefusedAndLeftAsItWas(version: Int) throws {
    try ReleasedDatabase.make(version, at: folder.database)
    let before = try folder.read()
    #expect(throws: RepositoryError.olderSchema(path: folder.database)) {
      try TachogramDatabase.openReadOnly(path: folder.database)
    }
    #expect(try folder.read() == before)
  }

  // MARK: - What is cut off

  /// The disk fails at each operation of the upgrade, and from each seventh one on. What a crash leaves there, and what the
  /// failure leaves, are both taken up by the next program.
  @Test(arguments: versions.dropLast(), [DiskFaultTests.cases[0], DiskFaultTests.cases[2], DiskFaultTests.cases[3]])
  func testUpgradeThatIsCutOff_IsTakenUp(version: Int, fault: DiskFaultTests.Case) throws {
    try ReleasedDatabase.make(version, at: folder.path("original.sqlite"))
    try DatabaseFiles(path: folder.path("original.sqlite")).copy(to: folder.database)
    let upgraded = try TachogramDatabase.open(path: folder.database).writer.read { db in try DatabaseDump(db) }
    var operation = 1 - fault.stride
    var failures: Int64 = 1
    while failures > 0 {
      operation += fault.stride
      try DatabaseFiles(path: folder.path("original.sqlite")).copy(to: faulty.database)
      disk.fail(fault.fault, at: operation, times: fault.times)
      let database = try? TachogramDatabase.open(path: faulty.database, busyTimeout: .milliseconds(1))
      failures = disk.failures
      let place = "version \(version), \(disk.lastFailure) \(operation)"
      disk.mend()
      try DatabaseFiles(path: faulty.database).copy(to: folder.path("crash.sqlite"))
      try database?.close()
      for path in [folder.path("crash.sqlite"), faulty.database] {
        let again = try TachogramDatabase.open(path: path)
        let found = try again.writer.read { db in try DatabaseDump(db) }
        #expect(found == upgraded, "\(place): \(found.difference(from: upgraded))")
        #expect(try again.checkIntegrity() == [], "\(place)")
        try again.close()
      }
    }
    #expect(operation > 5)
  }
}
