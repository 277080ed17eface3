import Foundation
import GRDB
import Repository
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

/// Deleting where there is hardly any room for the log that a deletion needs.
struct FullDiskDeletionTests {
  private let folder: TemporaryFolder
  private let disk: FaultyDisk
  private let database: TachogramDatabase
  private static let people = ["Anna", "Ben"]

  /// Two sessions of each of two people, with trends and with stress levels of no session.
  init() throws {
    folder = try TemporaryFolder()
    disk = try FaultyDisk(folder: folder.url.path)
    database = try .open(path: folder.database)
    try Self.fill(database)
    try database.emptyLog()
  }

  private static func fill(_ database: TachogramDatabase) throws {
    let repository = SessionRepository(database: database)
    for number in 0..<4 {
      var values = HRVValues()
      (values.meanHeartRate, values.sdnn) = (60, 50)
      var batch = SessionFixture.batch(0..<3_000)
      batch.gaps = [SessionFixture.gap(0, entry: 20)]
      batch.artifacts = [BeatArtifact(beat: 3, beatClass: .ectopic, replacements: 1, milliseconds: 800)]
      batch.windows = (1...50).flatMap { minute in
        [60, 300].map { SessionFixture.window(endSecond: Int64(minute * 60), length: $0, values: values) }
      }
      batch.stress = (1...50).map { minute in
        var level = SessionFixture.stress(
          person: people[number % 2], second: Double(number * 10_000 + minute * 60))
        level.id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0x80, 0, 0x80, 0, 0, 0, 0, 0, UInt8(number), UInt8(minute)))
        return level
      }
      let session = SessionFixture.description(
        id: SessionFixture.identifier(number + 1), person: people[number % 2], startSecond: Int64(number) * 10_000)
      try repository.begin(session, with: batch)
      try repository.finish(session.id)
    }
    try TrendRepository(database: database, timeZone: .gmt).refresh()
  }

  private static func dump(_ database: TachogramDatabase) throws -> DatabaseDump {
    try database.writer.read { db in try DatabaseDump(db) }
  }

  private static func selection(_ person: String?) -> SessionSelection {
    var selection = SessionSelection()
    selection.person = person
    return selection
  }

  /// What is left is what one large transaction leaves, and so is what is said of it.
  @Test(arguments: DataCategory.allCases, [nil, "Anna"])
  func testDeletionWithHardlyAnyRoom_DeletesTheSame(_ category: DataCategory, person: String?) throws {
    let reference = try TachogramDatabase.inMemory()
    try Self.fill(reference)
    let selection = Self.selection(person)
    let expected = try DeletionRepository(database: reference).delete(selection, category)
    disk.leaveRoom(Int64(DeletionRepository.leastRoom))
    #expect(try DeletionRepository(database: database).delete(selection, category) == expected)
    disk.mend()
    let (found, wanted) = (try Self.dump(database), try Self.dump(reference))
    #expect(found == wanted, "\(found.difference(from: wanted).prefix(5))")
    #expect(try database.checkIntegrity() == [])
    try database.close()
    if category == .sessions { #expect(try folder.read().range(of: Data("Anna".utf8)) == nil) }
  }

  /// Else nothing of the above is shown: in one transaction there is not enough room.
  @Test func testDeletionInOneTransaction_HasNoRoom() throws {
    disk.leaveRoom(Int64(DeletionRepository.leastRoom))
    #expect(throws: DatabaseError.self) {
      try database.writer.write { db in try db.execute(sql: "DELETE FROM session") }
    }
  }

  /// It says that the disk is full, harms nothing, and is done when it is done again.
  @Test(arguments: [0, 4_096, 20_000, 40_000])
  func testDeletionWithoutRoom_IsSaidAndGoesOnLater(room: Int64) throws {
    disk.leaveRoom(room)
    #expect(throws: RepositoryError.full(path: database.path)) {
      try DeletionRepository(database: database).delete(Self.selection("Anna"))
    }
    disk.mend()
    #expect(try database.checkIntegrity() == [])
    let repository = SessionRepository(database: database)
    // The other person's are as they were.
    for id in [2, 4].map(SessionFixture.identifier) {
      #expect(try repository.session(matching: id).entryCount == 3_000)
    }
    disk.leaveRoom(Int64(DeletionRepository.leastRoom))
    try DeletionRepository(database: database).delete(Self.selection("Anna"))
    #expect(try repository.sessions().map(\.description.person) == ["Ben", "Ben"])
  }

  @Test func testRetentionWithHardlyAnyRoom_DeletesTheSame() throws {
    let deletion = DeletionRepository(database: database)
    disk.leaveRoom(Int64(DeletionRepository.leastRoom))
    try deletion.deleteWindows(before: WallTime(microseconds: .max), except: [SessionFixture.identifier(1)])
    let repository = SessionRepository(database: database)
    #expect(try repository.windows(of: SessionFixture.identifier(2)).isEmpty)
    #expect(try repository.windows(of: SessionFixture.identifier(1)).count == 100)
    #expect(try deletion.expire(before: WallTime(microseconds: .max), except: [SessionFixture.identifier(1)]) == 3)
    #expect(try repository.sessions().map(\.description.id) == [SessionFixture.identifier(1)])
    disk.mend()
    #expect(try database.checkIntegrity() == [])
  }
}
