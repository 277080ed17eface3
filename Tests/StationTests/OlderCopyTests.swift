import GRDB
import Recording
import Repository
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

/// Sessions of copies of older versions, as after an update that failed.
@Suite("Sessions of older copies")
struct OlderCopyTests {
  @Test(arguments: 1...9)
  func testSessions_AreCopiedToADatabaseOfToday(version: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("old.sqlite")
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let text = try FixtureLocator.databaseText(version: version)
    try queue.writeWithoutTransaction { db in try db.execute(sql: text) }
    try queue.close()
    let (old, new) = (try TachogramDatabase.openSessions(ofCopy: path), try TachogramDatabase.inMemory())
    let sessions = ReplacedSessions(of: old, in: new, kind: .sdnn)
    let stored = try SessionRepository(database: old).sessions().filter { $0.entryCount > 0 }
    #expect(!stored.isEmpty)
    let copied = sessions.copy(try sessions.compare().missing, at: WallTime(microseconds: 1_800_000_000_000_000))
    if let failure = copied.failure { Issue.record("\(failure)") }
    let found = try SessionRepository(database: new).sessions()
    #expect(Set(found.map(\.description.id)) == Set(stored.map(\.description.id)))
    #expect(found.map(\.entryCount).reduce(0, +) == stored.map(\.entryCount).reduce(0, +))
    #expect(try sessions.compare().missing.isEmpty)
  }
}
