import FoundationEssentials
import GRDB
import TachogramCore
import Testing

@testable import Repository

/// Sessions that are stored whole or not at all.
struct SessionStoreTests {
  private struct Interruption: Error {}

  private let database: TachogramDatabase
  private let sessions: SessionRepository
  private let description = SessionFixture.description(person: "Anna")

  init() throws {
    database = try .inMemory()
    sessions = SessionRepository(database: database)
  }

  /// Two batches with a 5-minute window and a stress level each.
  private static let batches = [SessionFixture.batch(0..<5), SessionFixture.batch(5..<9)].enumerated().map {
    number, batch in
    var batch = batch
    var values = HRVValues()
    values.meanHeartRate = 60 + Double(number)
    let end = Int64(number + 1) * 300
    batch.windows = [SessionFixture.window(endSecond: 5 + end, length: 300, values: values)]
    batch.stress = [SessionFixture.stress(person: "Anna", second: Double(end))]
    return batch
  }

  private func storeWhole() throws {
    try sessions.store(description, isComplete: true) { append in for batch in Self.batches { try append(batch) } }
  }

  /// All rows of all tables but the counters of SQLite.
  private func everything() throws -> [String: [Row]] {
    try database.writer.read { db in
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      return try Dictionary(
        uniqueKeysWithValues: tables.map { ($0, try Row.fetchAll(db, sql: "SELECT * FROM \"\($0)\"")) })
    }
  }

  @Test func testBatches_AreStoredInOrder() throws {
    try storeWhole()
    let record = try sessions.session(matching: description.id)
    #expect(record.isComplete && record.entryCount == 9)
    #expect(try sessions.windows(of: description.id) == Self.batches.flatMap(\.windows))
    #expect(try sessions.stress(of: description.id).count == 2)
  }

  /// The hours of a session that a policy deleted, and its stress levels, are not those of an import that fails.
  @Test func testStoringThatIsInterrupted_LeavesWhatOutlivedTheSession() throws {
    try storeWhole()
    let trends = TrendRepository(database: database, timeZone: .gmt)
    try trends.refresh()
    #expect(try DeletionRepository(database: database).expire(before: WallTime(microseconds: .max), except: []) == 1)
    let before = try everything()
    #expect(
      before["rollup"]?.count == 2 && before["stress_measurement"]?.count == 2 && before["session"]?.isEmpty == true)
    #expect(throws: Interruption.self) {
      try sessions.store(description, isComplete: true) { append in
        for batch in Self.batches { try append(batch) }
        throw Interruption()
      }
    }
    try trends.refresh()
    #expect(try everything() == before)
  }

  @Test(arguments: [false, true])
  func testBatchThatIsRefused_LeavesWhatThereWas(isStored: Bool) throws {
    if isStored { try storeWhole() }
    let before = try everything()
    #expect(throws: RepositoryError.self) {
      try sessions.store(description, isComplete: true) { append in
        try append(Self.batches[0])
        try append(Self.batches[0])
      }
    }
    #expect(throws: RepositoryError.self) {
      var contradiction = SessionBatch()
      contradiction.beats = [SessionFixture.beat(0, entry: 77)]
      try sessions.store(description, isComplete: true) { append in try append(contradiction) }
    }
    #expect(try everything() == before)
  }
}
