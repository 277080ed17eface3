import Foundation
import Pipeline
import Recording
import Repository
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

/// Sessions of a database that was replaced, which are brought back to the one in its place.
@Suite("Sessions of a replaced database")
struct ReplacedSessionsTests {
  private let replaced: TachogramDatabase
  private let database: TachogramDatabase
  private let now = WallTime(microseconds: 1_800_000_000_000_000)
  private let session: SessionDescription
  private let entries: [LedgerEntry]

  /// A replaced database with a session, its note, a marker, a reading and a deleted stress level. The other one is empty.
  init() throws {
    (replaced, database) = (try .inMemory(), try .inMemory())
    entries = CaptureBuilder.entries(SimulatedStrap().notifications())
    let description = CaptureBuilder.session(entries, strap: CaptureBuilder.strap())
    session = SessionDescription(
      id: description.id, strap: description.strap, origin: .live, person: "Anna", label: "night", deviceID: "here",
      start: description.start, monotonicStart: description.monotonicStart)
    try Self.store(session, entries, in: replaced)
    let annotations = AnnotationRepository(database: replaced)
    try annotations.change(session.id, SessionEdit(note: "slept well"))
    _ = try annotations.mark(session.id, at: late(0.9), "coffee")
    try ReadingRepository(database: replaced).add([
      HRVReading(
        id: "00000001-aaaa-8bbb-9ccc-ddddeeeeffff", kind: .spot, person: "Anna", session: session.id, start: late(0.8),
        duration: .seconds(60), coverage: 1, artifactShare: 0, count: 60, meanHeartRate: 60, sdnn: 40, rmssd: 30)
    ])
  }

  private static func store(
    _ session: SessionDescription, _ entries: [LedgerEntry], in database: TachogramDatabase
  ) throws {
    var deriver = try SessionDeriver(session, kind: .rmssd, in: database)
    deriver.ingest(entries)
    deriver.finish()
    var batch = deriver.drainRows()
    batch.links = Set(entries.map(\.link)).sorted()
      .map { StrapLink(number: $0, bootID: nil, handle: 0x10, handleSource: .discovered) }
    batch.entries = entries
    let repository = SessionRepository(database: database)
    try repository.begin(session, with: batch)
    try repository.finish(session.id)
  }

  private func late(_ share: Double) -> WallTime { entries[Int(Double(entries.count) * share)].wall }

  private var sessions: ReplacedSessions { ReplacedSessions(of: replaced, in: database, kind: .rmssd) }
  private var target: SessionRepository { SessionRepository(database: database) }

  private func copyAll() throws {
    let missing = try sessions.compare().missing
    let copied = sessions.copy(missing, at: now)
    #expect(copied.count == missing.count && copied.failure == nil)
    #expect(try sessions.compare() == ReplacedSessions.Comparison())
  }

  private func ledger(_ id: String) throws -> [LedgerEntry] {
    var found: [LedgerEntry] = []
    try target.forEachEntry(of: id) { found += $0 }
    return found
  }

  @Test func testMissingSession_ComesBackWithAllThatWasAdded() async throws {
    let levels = try SessionRepository(database: replaced).stress(of: session.id)
    let deleted = try #require(levels.first)
    let late = now.date
    try await StressRepository(database: replaced, person: "Anna", kind: .rmssd) { late }.delete(deleted)
    try copyAll()
    let record = try target.session(matching: session.id)
    #expect(record.description == session && record.note == "slept well" && record.isComplete)
    #expect(try ledger(session.id) == entries)
    #expect(try StoredSession(session.id, in: database).contradiction() == nil)
    #expect(try target.markers(of: session.id).map(\.text) == ["coffee"])
    #expect(try ReadingRepository(database: database).readings(in: session).map(\.rmssd) == [30])
    #expect(try target.deletedStress(of: session.id) == [deleted.id])
    #expect(try target.stress(of: session.id).count == levels.count - 1)
    #expect(try database.checkIntegrity() == [])
  }

  @Test func testEndOfASession_BecomesASessionOfItsOwn() throws {
    let cut = entries.count / 2
    try Self.store(session, Array(entries[..<cut]), in: database)
    let missing = try #require(try sessions.compare().missing.first)
    #expect(missing.start == entries[cut].wall)
    try copyAll()
    let stored = try target.sessions()
    #expect(stored.count == 2)
    let rest = try #require(stored.first { $0.description.id != session.id })
    #expect(try ledger(rest.description.id).map(\.content) == entries[cut...].map(\.content))
    #expect(try ledger(rest.description.id).map(\.sequence) == Array(0..<Int64(entries.count - cut)))
    #expect(try StoredSession(rest.description.id, in: database).contradiction() == nil)
    #expect(try target.markers(of: rest.description.id).map(\.text) == ["coffee"])
    #expect(try ReadingRepository(database: database).readings(in: rest.description).count == 1)
  }

  @Test func testSessionThatWasSplitSince_IsNotMissing() throws {
    try Self.store(session, entries, in: database)
    let editor = SessionEditor(
      database: database, keeping: .init(installation: "here", restoresAbsent: false), running: [])
    _ = try editor.split(try target.session(matching: session.id), at: late(0.5))
    #expect(try sessions.compare() == ReplacedSessions.Comparison())
  }

  @Test func testSessionThatContinuedOtherwise_IsKeptBesideItsEnd() throws {
    // The station continued the session after the restoration.
    let cut = entries.count / 2
    var other = Array(entries[..<cut])
    for entry in entries[..<20] {
      var next = entry
      next.sequence = Int64(other.count)
      next.wall = entry.wall.advanced(byMicroseconds: 86_400_000_000)
      next.monotonic = entry.monotonic.advanced(by: .seconds(86_400))
      other.append(next)
    }
    try Self.store(session, other, in: database)
    try copyAll()
    #expect(try ledger(session.id) == other)
    let stored = try target.sessions().map(\.description.id)
    #expect(stored.count == 2)
    let contents = try stored.flatMap { try ledger($0) }.filter { $0.wall <= entries.last!.wall }.count
    #expect(contents == entries.count)
  }

  @Test func testSessionWithoutItsBeginning_IsLeftAndNamed() throws {
    let tail = entries[(entries.count / 2)...].enumerated().map { offset, entry in
      var entry = entry
      entry.sequence = Int64(offset)
      return entry
    }
    var later = session
    later.id = "00000007-aaaa-8bbb-9ccc-ddddeeeeffff"
    (later.start, later.monotonicStart) = (tail[0].wall, tail[0].monotonic)
    try Self.store(later, tail, in: database)
    let comparison = try sessions.compare()
    #expect(comparison.missing == [] && comparison.overlapping.map(\.description.id) == [session.id])
  }

  @Test func testStoredSession_IsNotReplaced() throws {
    try Self.store(session, entries, in: database)
    let copy = CopiedSession(session, SessionBatch(), kind: .rmssd)
    #expect(throws: RepositoryError.self) { try target.add(copy, at: now) }
    #expect(try ledger(session.id) == entries)
  }
}
