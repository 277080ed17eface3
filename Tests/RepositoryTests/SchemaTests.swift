import GRDB
import Repository
import StressKit
import TachogramCore
import Testing

@Suite("Schema")
struct SchemaTests {
  // MARK: - The ledger is never rewritten

  @Test(arguments: [
    "UPDATE ledger SET value = x'00' WHERE sequence = 1", "UPDATE ledger SET wall_us = wall_us + 1",
    "UPDATE ledger SET sequence = sequence + 10", "UPDATE ledger SET value = value WHERE sequence = 0",
  ])
  func testLedgerUpdate_IsRefusedByTheSchema(sql: String) throws {
    let database = try TachogramDatabase.inMemory()
    let repository = SessionRepository(database: database)
    try repository.begin(SessionFixture.description())
    try repository.append(SessionFixture.batch(0..<3), to: SessionFixture.id)
    #expect {
      try database.writer.write { db in try db.execute(sql: sql) }
    } throws: { error in
      (error as? DatabaseError)?.message == "the ledger is never rewritten"
    }
    #expect(try SessionRepositoryTests.entries(repository) == SessionFixture.batch(0..<3).entries)
  }

  // MARK: - What the schema forbids

  @Test(arguments: [
    "INSERT INTO session VALUES (9, 'short', 1, NULL, 'live', 0, 0, 0, NULL, NULL, NULL, NULL)",
    "INSERT INTO session VALUES (9, '0000000G-aaaa-8bbb-9ccc-ddddeeeeffff', 1, NULL, 'live', 0, 0, 0, NULL, NULL, NULL, NULL)",
    "INSERT INTO session VALUES (9, '00000009-aaaa-8bbb-9ccc-ddddeeeeffff', 1, NULL, 'other', 0, 0, 0, NULL, NULL, NULL, NULL)",
    "INSERT INTO session VALUES (9, '00000009-aaaa-8bbb-9ccc-ddddeeeeffff', 9, NULL, 'live', 0, 0, 0, NULL, NULL, NULL, NULL)",
    "INSERT INTO person VALUES (NULL, '')",
    "INSERT INTO strap VALUES (NULL, 'C8:DE:AD:BE:EF:01', 2)",
    "INSERT INTO link VALUES (1, 1, NULL, 65536, 'given')",
    "INSERT INTO link VALUES (1, 1, NULL, 1, 'guessed')",
    "INSERT INTO ledger VALUES (1, 1, 0, 3, 0, 0, NULL, x'00')",
    "INSERT INTO ledger VALUES (1, 1, 0, 0, 0, 0, NULL, NULL)",
    "INSERT INTO ledger VALUES (1, 1, 0, 0, 0, 0, 8, x'00')",
    "INSERT INTO ledger VALUES (1, 1, 0, 1, 0, 0, NULL, NULL)",
    "INSERT INTO ledger VALUES (1, 1, 0, 1, 0, 0, 256, NULL)",
    "INSERT INTO ledger VALUES (1, -1, 0, 0, 0, 0, NULL, x'00')",
    "INSERT INTO ledger VALUES (1, 1, 0, 0, 'now', 0, NULL, x'00')",
    "INSERT INTO ledger VALUES (1, 1, 0, 0, 0, 0, NULL, 'text')",
    "INSERT INTO beat VALUES (1, 1, 0, 65536, 0, 0)",
    "INSERT INTO beat VALUES (1, 1, 0, -1, 0, 0)",
    "INSERT INTO beat VALUES (1, 1, 0, 0, 0, 256)",
    "INSERT INTO beat VALUES (1, 1, 0, 0, 7, 0)",
    "INSERT INTO gap VALUES (1, 1, 0, 0, 'bored', 0)",
    "INSERT INTO gap VALUES (1, 1, 0, 0, 'lost', 7)",
    "INSERT INTO marker VALUES (NULL, 'short', 1, 0, 'coffee')",
    "INSERT INTO marker VALUES (NULL, '00000009-aaaa-8bbb-9ccc-ddddeeeeffff', 1, 0, '')",
    "INSERT INTO marker VALUES (NULL, '00000009-aaaa-8bbb-9ccc-ddddeeeeffff', 9, 0, 'coffee')",
    "INSERT INTO reading VALUES (1, '00000009-aaaa-8bbb-9ccc-ddddeeeeffff', 'noon', NULL, NULL, 0, 1, 1, 0, 9, 1, 1, 1)",
    "INSERT INTO reading VALUES (1, '00000009-aaaa-8bbb-9ccc-ddddeeeeffff', 'spot', NULL, NULL, 0, 0, 1, 0, 9, 1, 1, 1)",
    "INSERT INTO reading VALUES (1, '00000009-aaaa-8bbb-9ccc-ddddeeeeffff', 'spot', 9, NULL, 0, 1, 1, 0, 9, 1, 1, 1)",
  ])
  func testForbiddenRow_IsRefused(sql: String) throws {
    let database = try TachogramDatabase.inMemory()
    let repository = SessionRepository(database: database)
    try repository.begin(SessionFixture.description())
    try repository.append(SessionFixture.batch(0..<1), to: SessionFixture.id)
    #expect {
      try database.writer.write { db in try db.execute(sql: sql) }
    } throws: { error in
      (error as? DatabaseError)?.resultCode == .SQLITE_CONSTRAINT
    }
  }

  // MARK: - What the schema must allow

  /// The lists in the schema are frozen text; a case that is added to an enumeration needs a migration.
  @Test func testEveryCaseOfEveryEnumeration_IsAccepted() async throws {
    let database = try TachogramDatabase.inMemory()
    let repository = SessionRepository(database: database)
    for (index, origin) in SessionDescription.Origin.allCases.enumerated() {
      var description = SessionFixture.description(id: SessionFixture.identifier(100 + index))
      description.origin = origin
      try repository.begin(description)
      #expect(try repository.session(matching: description.id).description == description)
    }
    try repository.begin(SessionFixture.description())
    var batch = SessionFixture.batch(0..<1)
    batch.links = HandleSource.allCases.enumerated().map { index, source in
      StrapLink(number: index, handle: 1, handleSource: source)
    }
    batch.gaps = BeatGap.Reason.allCases.enumerated().map { index, reason in
      SessionFixture.gap(Int64(index), entry: 0, reason: reason)
    }
    for category in StressCategory.allCases {
      for kind in HRVKind.allCases {
        var measurement = SessionFixture.stress(kind: kind, second: Double(batch.stress.count))
        measurement.category = category
        batch.stress.append(measurement)
      }
    }
    try repository.append(batch, to: SessionFixture.id)
    #expect(try repository.links(of: SessionFixture.id) == batch.links)
    #expect(try repository.gaps(of: SessionFixture.id) == batch.gaps)
    #expect(try repository.stress(of: SessionFixture.id) == batch.stress)
  }

  @Test func testIndexes_AreUsedByTheFrequentQueries() throws {
    let database = try TachogramDatabase.inMemory()
    let plans = try database.writer.read { db in
      try [
        """
        SELECT * FROM stress_measurement WHERE is_deleted = 0 AND person IS ? AND kind = ?
        AND timestamp_us BETWEEN ? AND ? ORDER BY timestamp_us DESC, key DESC LIMIT ?
        """,
        "DELETE FROM stress_measurement WHERE session = ? AND is_deleted = 0",
        "SELECT max(sequence) FROM ledger WHERE session = ?",
        "SELECT id FROM session WHERE id >= ? AND id < ? ORDER BY id LIMIT 10",
        "SELECT * FROM baseline WHERE coalesce(person, 0) = ? AND kind = ?",
      ].map { sql in
        let plan = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
        plan.setUncheckedArguments([])
        return try Row.fetchAll(plan).map { row in String(describing: row["detail"] as String?) }.joined()
      }
    }
    for plan in plans {
      #expect(plan.contains("SEARCH"))
      #expect(!plan.contains("TEMP B-TREE"))
    }
  }
}
