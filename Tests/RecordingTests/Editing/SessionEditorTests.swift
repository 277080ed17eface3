import Foundation
import Pipeline
import Recording
import Repository
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

/// Sessions that are split and merged.
@Suite("Splitting and merging")
struct SessionEditorTests {
  private let database: TachogramDatabase
  private let repository: SessionRepository
  private let session: SessionDescription
  private let entries: [LedgerEntry]

  init() throws {
    database = try .inMemory()
    repository = SessionRepository(database: database)
    entries = CaptureBuilder.entries(SimulatedStrap().notifications())
    let replayed = CaptureBuilder.session(entries, strap: CaptureBuilder.strap())
    session = SessionDescription(
      id: replayed.id, strap: replayed.strap, origin: .live, person: "Anna", label: "night", deviceID: "here",
      start: replayed.start, monotonicStart: replayed.monotonicStart)
    try store(session, entries)
  }

  private func store(_ session: SessionDescription, _ entries: [LedgerEntry], bootID: String? = nil) throws {
    var deriver = try SessionDeriver(session, kind: .rmssd, in: database)
    deriver.ingest(entries)
    deriver.finish()
    var batch = deriver.drainRows()
    batch.links = [StrapLink(number: 0, bootID: bootID, handle: 0x10, handleSource: .discovered)]
    batch.entries = entries
    try repository.begin(session, with: batch)
    try repository.finish(session.id)
  }

  private func editor(running: Set<String> = []) -> SessionEditor {
    SessionEditor(
      database: database, keeping: .init(installation: "here", restoresAbsent: false), running: running)
  }

  private func record(_ id: String) throws -> SessionRecord { try repository.session(matching: id) }

  private func ledger(_ id: String) throws -> [LedgerEntry] {
    var entries: [LedgerEntry] = []
    try repository.forEachEntry(of: id) { entries += $0 }
    return entries
  }

  /// Checks that the stored rows of a session are those that its ledger amounts to.
  private func expectDerived(_ id: String, _ place: SourceLocation = #_sourceLocation) throws {
    #expect(try StoredSession(id, in: database).contradiction() == nil, sourceLocation: place)
    let stress = try repository.stress(of: id).map(\.timestamp)
    var deriver = try SessionDeriver(record(id).description, kind: .rmssd, in: database)
    deriver.ingest(try ledger(id))
    deriver.finish()
    let expected = deriver.drainRows().stress.map(\.timestamp)
    // The database keeps microseconds.
    #expect(stress.count == expected.count, sourceLocation: place)
    #expect(
      zip(stress, expected).allSatisfy { abs($0.timeIntervalSince($1)) < 2e-6 }, "\(stress) \(expected)",
      sourceLocation: place)
  }

  private func time(_ fraction: Double) -> WallTime {
    session.wall(entries[max(1, Int(Double(entries.count) * fraction))].monotonic)
  }

  // MARK: - Splitting

  @Test(arguments: [0.001, 0.3, 0.5, 0.999])
  func testBothParts_AreWhatTheirEntriesAmountTo(fraction: Double) throws {
    let second = try editor().split(try record(session.id), at: time(fraction))
    let (one, other) = (try ledger(session.id), try ledger(second))
    #expect(one.count + other.count == entries.count && !one.isEmpty && !other.isEmpty)
    #expect((one + other).map(\.content) == entries.map(\.content))
    #expect((one + other).map(\.wall) == entries.map(\.wall))
    #expect(other.map(\.sequence) == Array(0..<Int64(other.count)))
    let (first, rest) = (try record(session.id), try record(second))
    #expect(first.isComplete && rest.isComplete)
    #expect(rest.description.person == "Anna" && rest.description.label == "night")
    #expect(rest.description.start == other.first?.wall)
    try expectDerived(session.id)
    try expectDerived(second)
    #expect(try database.checkIntegrity() == [])
  }

  @Test func testNoteMarkersAndReadings_GoWithTheirPart() throws {
    let annotations = AnnotationRepository(database: database)
    try annotations.change(session.id, SessionEdit(note: .some("slept well")))
    _ = try annotations.mark(session.id, at: time(0.2), "lights off")
    _ = try annotations.mark(session.id, at: time(0.8), "coffee")
    let readings = [0.1, 0.9].map { fraction in
      HRVReading(
        id: UUID().uuidString.lowercased(), kind: .spot, person: "Anna", session: session.id, start: time(fraction),
        duration: .seconds(60), coverage: 1, artifactShare: 0, count: 60, rmssd: 40)
    }
    try ReadingRepository(database: database).add(readings)
    let second = try editor().split(try record(session.id), at: time(0.5))
    #expect(try repository.markers(of: session.id).map(\.text) == ["lights off"])
    #expect(try repository.markers(of: second).map(\.text) == ["coffee"])
    #expect(try record(session.id).note == "slept well")
    #expect(try record(second).note == nil)
    let kept = try ReadingRepository(database: database).readings(of: "Anna")
    #expect(kept.map(\.session) == [second, session.id])
  }

  @Test func testDeletedLevels_StayDeleted() async throws {
    let all = try repository.stress(of: session.id)
    try #require(all.count > 4)
    let person = StressRepository(database: database, person: "Anna", kind: .rmssd) { Date() }
    for level in all.dropFirst().dropLast() { try await person.delete(level) }
    let second = try editor().split(try record(session.id), at: time(0.5))
    let left = try repository.stress(of: session.id) + repository.stress(of: second)
    for level in all.dropFirst().dropLast() {
      #expect(!left.contains { abs($0.timestamp.timeIntervalSince(level.timestamp)) < 20 })
    }
  }

  /// The first and the third part were merged; the place of the second has the number that its first entry had.
  @Test func testPartWhoseIdentifierIsTaken_HasAnother() throws {
    let second = try editor().split(try record(session.id), at: time(0.3))
    let third = try editor().split(try record(second), at: time(0.6))
    _ = try editor().merge(try record(session.id), try record(third))
    let again = try editor().split(try record(session.id), at: time(0.3))
    #expect(again != second)
    #expect(try ledger(again).map(\.content) == Array(entries.map(\.content).suffix(ledger(again).count)))
    let counts = try [session.id, second, again].map { try ledger($0).count }
    #expect(counts.reduce(0, +) == entries.count)
  }

  @Test func testNothingOnOneSide_IsRefusedAndChangesNothing() throws {
    let before = try ledger(session.id)
    for time in [
      session.start, session.start.advanced(byMicroseconds: -1), time(0.5).advanced(byMicroseconds: 1 << 50),
    ] {
      #expect(throws: SessionEditError.self) { try editor().split(try record(session.id), at: time) }
    }
    #expect(throws: SessionEditError.running(session: session.id)) {
      try editor(running: [session.id]).split(try record(session.id), at: time(0.5))
    }
    #expect(try ledger(session.id) == before)
  }

  // MARK: - Merging

  @Test(arguments: [0.1, 0.5, 0.9])
  func testPartsThatAreMergedAgain_AreTheWholeOfBefore(fraction: Double) throws {
    let annotations = AnnotationRepository(database: database)
    _ = try annotations.mark(session.id, at: time(0.95), "coffee")
    let before = (try ledger(session.id), try repository.markers(of: session.id))
    let gaps = try repository.gaps(of: session.id)
    let second = try editor().split(try record(session.id), at: time(fraction))
    try annotations.change(second, SessionEdit(note: .some("woke up")))
    // In either order.
    #expect(try editor().merge(try record(second), try record(session.id)) == session.id)
    let merged = try ledger(session.id)
    #expect(merged.map(\.content) == before.0.map(\.content))
    #expect(merged.map(\.wall) == before.0.map(\.wall))
    #expect(merged.map(\.sequence) == before.0.map(\.sequence))
    #expect(merged.map(\.monotonic) == before.0.map(\.monotonic) && merged.map(\.link) == before.0.map(\.link))
    #expect(try repository.gaps(of: session.id) == gaps)
    #expect(try repository.markers(of: session.id).map(\.text) == before.1.map(\.text))
    #expect(try record(session.id).note == "woke up")
    #expect(try repository.sessions().map(\.description.id) == [session.id])
    try expectDerived(session.id)
  }

  @Test func testSessionWithoutEntries_IsMergedAsWell() throws {
    var empty = session
    empty.id = "00000008-aaaa-8bbb-9ccc-ddddeeeeffff"
    empty.start = session.start.advanced(byMicroseconds: -3_600_000_000)
    try repository.begin(empty)
    try repository.finish(empty.id)
    #expect(try editor().merge(try record(session.id), try record(empty.id)) == empty.id)
    #expect(try ledger(empty.id).map(\.content) == entries.map(\.content))
    #expect(try repository.sessions().map(\.description.id) == [empty.id])
    #expect(try database.checkIntegrity() == [])
  }

  @Test func testAfterARestart_TheCivilClockPlacesTheSecondSession() throws {
    var later = session
    later.id = "00000009-aaaa-8bbb-9ccc-ddddeeeeffff"
    let hour: Int64 = 3_600_000_000
    let moved = entries.map {
      LedgerEntry(
        sequence: $0.sequence, link: $0.link,
        monotonic: MonotonicTime(microseconds: $0.monotonic.microseconds(since: entries[0].monotonic) + 9_000_000),
        wall: $0.wall.advanced(byMicroseconds: 10 * hour), content: $0.content)
    }
    (later.start, later.monotonicStart) = (moved[0].wall, moved[0].monotonic)
    try store(later, moved, bootID: "another")
    _ = try editor().merge(try record(session.id), try record(later.id))
    let all = try ledger(session.id)
    #expect(all.count == 2 * entries.count)
    let (end, next) = (all[entries.count - 1], all[entries.count])
    #expect(next.monotonic.duration(since: end.monotonic) == next.wall.duration(since: end.wall))
    #expect(try repository.links(of: session.id).map(\.bootID) == [nil, "another"])
    try expectDerived(session.id)
  }

  @Test func testSessionsThatDoNotBelongTogether_AreNotMerged() throws {
    func add(_ number: Int, hours: Int64, _ change: (inout SessionDescription) -> Void) throws -> SessionRecord {
      var other = session
      other.id = "0000000\(number)-aaaa-8bbb-9ccc-ddddeeeeffff"
      let shift = hours * 3_600_000_000
      let moved = entries.map {
        LedgerEntry(
          sequence: $0.sequence, link: $0.link, monotonic: $0.monotonic.advanced(byMicroseconds: shift),
          wall: $0.wall.advanced(byMicroseconds: shift), content: $0.content)
      }
      (other.start, other.monotonicStart) = (moved[0].wall, moved[0].monotonic)
      change(&other)
      try store(other, moved)
      return try record(other.id)
    }
    let whole = try record(session.id)
    let strap = try add(1, hours: 20) { $0.strap.address = BluetoothAddress(value: 0xC8DE_ADBE_EF99, kind: .random) }
    let person = try add(2, hours: 40) { $0.person = "Bert" }
    let origin = try add(3, hours: 60) { ($0.origin, $0.deviceID) = (.replay, nil) }
    let overlapping = try add(4, hours: 0) { $0.start = $0.start.advanced(byMicroseconds: 1_000_000) }
    #expect(throws: SessionEditError.otherStraps) { try editor().merge(whole, strap) }
    #expect(throws: SessionEditError.otherPersons("Anna", "Bert")) { try editor().merge(whole, person) }
    #expect(throws: SessionEditError.otherOrigins) { try editor().merge(whole, origin) }
    #expect(throws: SessionEditError.overlap(end: whole.end, start: overlapping.description.start)) {
      try editor().merge(whole, overlapping)
    }
    #expect(throws: SessionEditError.sameSession(session: session.id)) { try editor().merge(whole, whole) }
    #expect(try repository.sessions().count == 5)
  }
}
