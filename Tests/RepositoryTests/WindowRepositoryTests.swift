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
        for length in [WindowLength.minute, .fiveMinutes] {
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

  /// The session and the minute of a window.
  private func place(of window: PlacedWindow) -> [Int64] {
    let session = window.sessionStart.microseconds - SessionFixture.wallStart
    return [session / 3_600_000_000, window.end.microseconds(since: window.sessionStart) / 60_000_000]
  }

  /// The windows as sessions and minutes.
  private func windows(
    of person: String?, length: WindowLength = .fiveMinutes, in range: ClosedRange<WallTime>
  ) throws -> [[Int64]] {
    var found: [[Int64]] = []
    try WindowRepository(database: database, person: person).forEachWindow(ofLength: length, in: range) { window in
      #expect(window.window.length == length)
      found.append(place(of: window))
    }
    return found
  }

  @Test func testWindows_AreThoseOfOnePersonInOrder() throws {
    let all = WallTime(microseconds: .min)...WallTime(microseconds: .max)
    let minutes = Array(Int64(1)...5)
    #expect(try windows(of: "Anna", in: all) == minutes.map { [1, $0] } + minutes.map { [3, $0] })
    #expect(try windows(of: "Ben", length: 60, in: all) == minutes.map { [2, $0] })
    #expect(try windows(of: nil, in: all) == minutes.map { [4, $0] })
    #expect(try windows(of: "Clara", in: all).isEmpty)
    #expect(try windows(of: "Anna", length: 120, in: all).isEmpty)
  }

  @Test func testRange_IncludesItsBoundsByTheClockOfTheSession() throws {
    let range = wall(session: 1, minute: 4)...wall(session: 3, minute: 2)
    #expect(try windows(of: "Anna", in: range) == [[1, 4], [1, 5], [3, 1], [3, 2]])
    let instant = wall(session: 3, minute: 2)
    #expect(try windows(of: "Anna", in: instant...instant) == [[3, 2]])
    let next = instant.advanced(byMicroseconds: 1)
    #expect(try windows(of: "Anna", in: next...next).isEmpty)
  }

  // MARK: - Passing over

  /// The windows of Anna that are handed over in a range, as sessions and minutes; behind one of minute `minute` those of some
  /// minutes are passed over.
  private func chosen(
    in range: ClosedRange<WallTime>, behind minute: Int64? = nil, passing minutes: Int64 = 0
  ) throws -> [[Int64]] {
    var found: [[Int64]] = []
    let repository = WindowRepository(database: database, person: "Anna")
    // Found once for both lengths.
    let sessions = try repository.sessions(in: range)
    try repository.forEachWindow(ofLength: 300, in: range, of: sessions) { window in
      found.append(place(of: window))
      return found.last?[1] == minute ? window.end.advanced(byMicroseconds: (minutes + 1) * 60_000_000) : nil
    }
    return found
  }

  @Test func testWindowsThatAreNotWanted_ArePassedOver() throws {
    let all = WallTime(microseconds: .min)...WallTime(microseconds: .max)
    let both: [[Int64]] = [1, 3].flatMap { session in Array(Int64(1)...5).map { [session, $0] } }
    #expect(try chosen(in: all) == both)
    #expect(try chosen(in: all, behind: 2, passing: 0) == both)
    #expect(try chosen(in: all, behind: 2, passing: 1) == both.filter { $0[1] != 3 })
    #expect(try chosen(in: all, behind: 2, passing: 2) == both.filter { $0[1] != 3 && $0[1] != 4 })
    #expect(try chosen(in: all, behind: 2, passing: 9) == both.filter { $0[1] < 3 })
    // What is wanted never leads back.
    #expect(try chosen(in: all, behind: 4, passing: -3) == both)
  }

  @Test func testWindowsThatAreWanted_KeepToTheRange() throws {
    let range = wall(session: 1, minute: 4)...wall(session: 3, minute: 2)
    #expect(try chosen(in: range) == [[1, 4], [1, 5], [3, 1], [3, 2]])
    #expect(try chosen(in: wall(session: 1, minute: 6)...wall(session: 3, minute: 1)) == [[3, 1]])
  }

  /// Far more than are passed over one by one.
  @Test(arguments: [1, 7, 8, 9, 10, 50, 400] as [Int64])
  func testManyWindowsThatAreNotWanted_ArePassedOver(step: Int64) throws {
    let sessions = SessionRepository(database: database)
    let id = SessionFixture.identifier(5)
    try sessions.begin(SessionFixture.description(id: id, person: "Dora", startSecond: 0))
    var batch = SessionBatch()
    for minute in Int64(1)...500 {
      batch.windows.append(SessionFixture.window(endSecond: 5 + minute * 60, length: 300))
    }
    try sessions.append(batch, to: id)
    let all = WallTime(microseconds: .min)...WallTime(microseconds: .max)
    let repository = WindowRepository(database: database, person: "Dora")
    var found: [Int64] = []
    try repository.forEachWindow(
      ofLength: 300, in: all, of: try repository.sessions(in: all)
    ) { window in
      found.append(place(of: window)[1])
      return window.end.advanced(byMicroseconds: step * 60_000_000)
    }
    #expect(found == Array(stride(from: 1, through: 500, by: Int64.Stride(step))))
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
