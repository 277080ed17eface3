import FoundationEssentials
import Repository
import Sessions
import TachogramCore
import TachogramTestKit
import Testing

@Suite("Restored databases, and those that they replaced")
struct RestorationTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("t.sqlite") }
  private var copy: String { folder.path("copy.sqlite") }
  private let start = WallTime(microseconds: 1_774_742_400_000_000)
  private let address = BluetoothAddress(value: 0xC8DE_ADBE_EF17, kind: .random)

  init() throws { folder = try TemporaryFolder() }

  private func identifier(_ number: Int) -> String { "0000000\(number)-aaaa-8bbb-9ccc-ddddeeeeffff" }

  private func store(_ numbers: ClosedRange<Int>, person: String = "anna", in database: TachogramDatabase) throws {
    for number in numbers {
      let session = SessionDescription(
        id: identifier(number), strap: StrapIdentity(address: address), origin: .live, person: person,
        start: start.advanced(by: .seconds(number * 3600)), monotonicStart: MonotonicTime(microseconds: 0))
      var batch = SessionBatch()
      batch.links = [StrapLink(number: 0, bootID: nil, handle: 16, handleSource: .discovered)]
      batch.entries = [
        LedgerEntry(
          sequence: 0, link: 0, monotonic: session.monotonicStart, wall: session.start,
          content: .notification([0x00, UInt8(60 + number)]))
      ]
      try SessionRepository(database: database).store(session, isComplete: true) { append in try append(batch) }
    }
  }

  private func opened<Value>(_ path: String, _ body: (TachogramDatabase) throws -> Value) throws -> Value {
    let database = try TachogramDatabase.open(path: path)
    defer { try? database.close() }
    return try body(database)
  }

  private func identifiers(_ path: String) throws -> [String] {
    try opened(path) { try SessionRepository(database: $0).sessions().map(\.description.id).sorted() }
  }

  /// A database of two sessions, of which a copy has one. Then a strap was paired, and the copy was restored.
  private func restored() throws -> DatabaseRestoration.Result {
    try opened(path) { database in
      try store(1...1, in: database)
      #expect(try database.snapshot(to: copy) == [])
      try store(2...2, in: database)
      try StrapRepository(database: database).remember(
        KnownStrap(
          address: address, name: "Zebra strap", advertisedName: "H10", isBonded: true, added: start,
          person: "wilhelmina", label: nil))
    }
    return try DatabaseRestoration.restore(copy, to: path)
  }

  @Test func testStrapsThatWerePairedSinceTheCopy_StayPaired() throws {
    let result = try restored()
    #expect(result.missing == 1 && result.straps == ["Zebra strap"])
    let straps = try opened(path) { try StrapRepository(database: $0).straps() }
    #expect(straps.map(\.name) == ["Zebra strap"] && straps[0].person == "wilhelmina" && straps[0].isBonded)
    #expect(try identifiers(path) == [identifier(1)])
    // Restored again, nothing is missing.
    #expect(try DatabaseRestoration.restore(try #require(result.replaced), to: path).straps == [])
  }

  @Test func testCopyThatCannotTakeTheStraps_IsNotPutInPlace() throws {
    _ = try restored()
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path("")).sorted()
    let source = try TachogramDatabase.openCopy(path: copy)
    defer { try? source.close() }
    let lock = try DatabaseLock(database: path, for: .exclusive)
    var taken: String?
    #expect(throws: RepositoryError.full(path: path)) {
      _ = try ReplacedDatabase(path).replace(with: source, at: start, under: lock) { copy in
        taken = copy
        try TachogramDatabase.openUnplaced(copy: copy).close()
        try Data([1]).write(to: URL(fileURLWithPath: copy + "-journal"))
        throw RepositoryError.full(path: path)
      }
    }
    lock.release()
    #expect(taken?.hasPrefix(path + ".restored-") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).sorted() == before)
    #expect(try opened(path) { try StrapRepository(database: $0).straps() }.map(\.name) == ["Zebra strap"])
  }

  @Test func testDamagedDatabase_IsReplaced_WithTheStrapsOfTheMark() throws {
    try opened(path) { database in
      try store(1...1, in: database)
      #expect(try database.snapshot(to: copy) == [])
    }
    try Data(repeating: 0x5A, count: 8192).write(to: URL(fileURLWithPath: path))
    try PairedMark(database: path).set([
      KnownStrap(address: address, name: "Zebra strap", advertisedName: nil, isBonded: true, added: start)
    ])
    let result = try DatabaseRestoration.restore(copy, to: path)
    // Their addresses are known without the database.
    #expect(result.doubt == .unreadable && result.straps == [address.description])
    #expect(result.ofStraps?.contains("Check the paired straps") == true)
    #expect(try identifiers(path) == [identifier(1)])
    let straps = try opened(path) { try StrapRepository(database: $0).straps() }
    #expect(straps.map(\.address) == [address] && straps[0].isBonded)
  }

  @Test func testDeletion_IsMadeInReplacedDatabases_WhichAreRemovedWhenEmpty() throws {
    let replaced = try #require(try restored().replaced)
    #expect(try identifiers(replaced) == [identifier(1), identifier(2)])
    let deletion = ReplacedDeletion(database: path)
    #expect(deletion.delete(.session(identifier(2)), .sessions) == [])
    #expect(try identifiers(replaced) == [identifier(1)])
    #expect(deletion.delete(.session(identifier(2)), .sessions) == [])
    #expect(FileManager.default.fileExists(atPath: replaced))
    try opened(replaced) { database in
      for strap in try StrapRepository(database: database).straps() {
        try StrapRepository(database: database).forget(strap)
      }
    }
    #expect(deletion.delete(SessionSelection(), .sessions) == [])
    #expect(!FileManager.default.fileExists(atPath: replaced) && ReplacedDatabase(path).names.isEmpty)
    #expect(try identifiers(path) == [identifier(1)])
  }

  @Test func testReplacedDatabaseThatIsDamaged_IsNamed() throws {
    let replaced = try #require(try restored().replaced)
    try Data(repeating: 0x5A, count: 8192).write(to: URL(fileURLWithPath: replaced))
    let remainders = ReplacedDeletion(database: path).delete(SessionSelection(), .sessions)
    #expect(remainders.map(\.path) == [replaced])
    #expect(FileManager.default.fileExists(atPath: replaced))
  }
}
