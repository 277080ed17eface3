import GRDB
import Repository
import TachogramCore
import Testing

struct WindowRepositoryTests {
  private let database: TachogramDatabase

  /// Of each person one or two sessions an hour apart, with windows of 300 and 60 s at the ends of five minutes.
  init() throws {
    database = try .inMemory()
    let sessions = SessionRepository(database: database)
    for (number, person) in [(3, "Anna"), (1, "Anna"), (2, "Ben"), (4, nil)] as [(Int, String?)] {
      let id = SessionFixture.identifier(number)
      try sessions.begin(SessionFixture.description(id: id, person: person, startSecond: Int64(number) * 3600))
      var batch = SessionBatch()
      for minute in Int64(1)...5 {
        for length in [60, 300] {
          // The axis of the fixture begins its session at 5 s.
          batch.windows.append(SessionFixture.window(endSecond: 5 + minute * 60, length: length))
        }
      }
      try sessions.append(batch, to: id)
    }
  }

  private func wall(session: Int64, minute: Int64) -> WallTime {
    WallTime(microseconds: SessionFixture.wallStart + (session * 3600 + minute * 60) * 1_000_000)
  }

  /// The windows as sessions and minutes.
  private func windows(
    of person: String?, length: Int = 300, in range: ClosedRange<WallTime>, batchSize: Int = 2,
  ) throws -> [[Int64]] {
    var found: [[Int64]] = []
    try WindowRepository(database: database, person: person)
      .forEachWindow(ofLength: length, in: range, batchSize: batchSize) { batch in
        #expect(batch.count <= batchSize)
        for window in batch {
          #expect(window.window.length == length)
          let microseconds = window.end.microseconds(since: window.sessionStart)
          let session = window.sessionStart.microseconds - SessionFixture.wallStart
          found.append([session / 3_600_000_000, microseconds / 60_000_000])
        }
      }
    return found
  }

  @Test(arguments: [1, 2, 3, 5, 1000])
  func testWindows_AreThoseOfOnePersonInOrder(batchSize: Int) throws {
    let all = WallTime(microseconds: .min)...WallTime(microseconds: .max)
    let minutes = Array(Int64(1)...5)
    #expect(
      try windows(of: "Anna", in: all, batchSize: batchSize) == minutes.map { [1, $0] } + minutes.map { [3, $0] })
    #expect(try windows(of: "Ben", length: 60, in: all, batchSize: batchSize) == minutes.map { [2, $0] })
    #expect(try windows(of: nil, in: all, batchSize: batchSize) == minutes.map { [4, $0] })
    #expect(try windows(of: "Clara", in: all, batchSize: batchSize).isEmpty)
    #expect(try windows(of: "Anna", length: 120, in: all, batchSize: batchSize).isEmpty)
  }

  @Test func testRange_IncludesItsBoundsByTheClockOfTheSession() throws {
    let range = wall(session: 1, minute: 4)...wall(session: 3, minute: 2)
    #expect(try windows(of: "Anna", in: range) == [[1, 4], [1, 5], [3, 1], [3, 2]])
    let instant = wall(session: 3, minute: 2)
    #expect(try windows(of: "Anna", in: instant...instant) == [[3, 2]])
    let next = instant.advanced(byMicroseconds: 1)
    #expect(try windows(of: "Anna", in: next...next).isEmpty)
  }

  // MARK: - Scanning

  /// The windows of Anna that a scan reads in a range, as sessions and minutes; behind one of minute `skipped` those of some
  /// minutes are left out.
  private func scanned(in range: ClosedRange<WallTime>, skipped: Int64? = nil, minutes: Int64 = 0) throws -> [[Int64]] {
    var found: [[Int64]] = []
    try WindowRepository(database: database, person: "Anna").scanWindows(ofLength: 300, in: range) { batch in
      for window in batch {
        let minute = window.end.microseconds(since: window.sessionStart) / 60_000_000
        found.append([(window.sessionStart.microseconds - SessionFixture.wallStart) / 3_600_000_000, minute])
      }
      guard let last = batch.last, found.last?[1] == skipped else { return nil }
      return last.end.advanced(byMicroseconds: (minutes + 1) * 60_000_000)
    }
    return found
  }

  @Test func testScan_ReadsAllThatIsNotSkipped() throws {
    let all = WallTime(microseconds: .min)...WallTime(microseconds: .max)
    let both: [[Int64]] = [1, 3].flatMap { session in Array(Int64(1)...5).map { [session, $0] } }
    #expect(try scanned(in: all) == both)
    // The first batch is of four, and the next window is that of minute 5.
    #expect(try scanned(in: all, skipped: 4, minutes: 0) == both)
    #expect(try scanned(in: all, skipped: 4, minutes: 1) == both.filter { $0[1] < 5 })
    // What is said of a batch never leads back.
    #expect(try scanned(in: all, skipped: 4, minutes: -3) == both)
  }

  @Test func testScan_KeepsToItsRange() throws {
    let range = wall(session: 1, minute: 4)...wall(session: 3, minute: 2)
    #expect(try scanned(in: range) == [[1, 4], [1, 5], [3, 1], [3, 2]])
    #expect(try scanned(in: wall(session: 1, minute: 6)...wall(session: 3, minute: 1)) == [[3, 1]])
  }

  @Test func testBody_MayUseTheDatabase() throws {
    let all = WallTime(microseconds: .min)...WallTime(microseconds: .max)
    let sessions = SessionRepository(database: database)
    try WindowRepository(database: database, person: "Ben").forEachWindow(ofLength: 300, in: all) { batch in
      for window in batch {
        let stored = try sessions.windows(of: window.sessionID)
        #expect(stored.contains(window.window))
      }
    }
  }

  @Test func testQuery_FindsTheFirstWindowByThePrimaryKey() throws {
    let plan = try database.writer.read { db in
      let statement = try db.makeStatement(
        sql: """
          EXPLAIN QUERY PLAN SELECT length, end_us FROM hrv_window
          WHERE session = ? AND length = ? AND end_us BETWEEN ? AND ? ORDER BY end_us LIMIT ?
          """)
      statement.setUncheckedArguments([])
      return try Row.fetchAll(statement).map { String(describing: $0["detail"] as String?) }.joined()
    }
    #expect(plan.contains("PRIMARY KEY (session=? AND length=? AND end_us>? AND end_us<?)"))
    #expect(!plan.contains("TEMP B-TREE"))
  }
}
