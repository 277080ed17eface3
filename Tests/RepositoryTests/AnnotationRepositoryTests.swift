import Repository
import TachogramCore
import Testing

@Suite("Notes and markers")
struct AnnotationRepositoryTests {
  private let database: TachogramDatabase
  private let repository: SessionRepository
  private let annotations: AnnotationRepository
  private let id = SessionFixture.id

  init() throws {
    database = try .inMemory()
    repository = SessionRepository(database: database)
    annotations = AnnotationRepository(database: database)
    try repository.begin(SessionFixture.description(person: "Anna"), with: SessionFixture.batch(0..<20))
  }

  private func wall(_ second: Int64) -> WallTime {
    WallTime(microseconds: SessionFixture.wallStart + second * 1_000_000)
  }

  private func seconds() throws -> [Double] {
    try repository.markers(of: id).map {
      Double($0.time.microseconds - SessionFixture.monotonicStart) / 1e6
    }
  }

  @Test func testEachValue_IsChangedAloneAndRemoved() throws {
    try annotations.change(id, SessionEdit(label: .some("night"), note: .some("one\ntwo")))
    var record = try repository.session(matching: id)
    #expect(record.note == "one\ntwo" && record.description.label == "night" && record.description.person == "Anna")
    try annotations.change(id, SessionEdit(person: .some(nil), note: .some(nil)))
    record = try repository.session(matching: id)
    #expect(record.note == nil && record.description.label == "night" && record.description.person == nil)
  }

  @Test func testDerivingAgain_KeepsThem() throws {
    try annotations.change(id, SessionEdit(note: .some("slept well")))
    _ = try annotations.mark(id, at: wall(3), "coffee")
    try repository.begin(SessionFixture.description(person: "Anna"))
    #expect(try repository.session(matching: id).note == "slept well")
    #expect(try repository.markers(of: id).map(\.text) == ["coffee"])
  }

  @Test func testMarkers_AreInTheOrderOfTheirTimes() throws {
    let late = try annotations.mark(id, at: wall(12), "coffee")
    _ = try annotations.mark(id, at: WallTime(microseconds: wall(3).microseconds + 500_000), "lights off")
    #expect(try repository.markers(of: id).map(\.text) == ["lights off", "coffee"])
    #expect(try seconds() == [3.5, 12])
    try annotations.unmark(id, late.id)
    #expect(try seconds() == [3.5])
    #expect(throws: RepositoryError.markerNotFound(id: late.id, session: id)) { try annotations.unmark(id, late.id) }
  }

  @Test func testTimeOutsideTheSession_IsRefused() throws {
    #expect(throws: RepositoryError.self) { try annotations.mark(id, at: wall(-1), "early") }
    // It goes on.
    _ = try annotations.mark(id, at: wall(25), "now")
    try repository.finish(id)
    #expect(throws: RepositoryError.outsideSession(session: id, start: wall(0), end: wall(19))) {
      try annotations.mark(id, at: wall(25), "late")
    }
    _ = try annotations.mark(id, at: wall(19), "end")
    #expect(try seconds() == [19, 25])
  }

  /// The clock of a machine without a battery is set by an hour while it records.
  @Test func testClockThatIsSet_MovesNoMarker() throws {
    var batch = SessionBatch()
    for sequence in 20..<40 as Range<Int64> {
      let entry = SessionFixture.entry(sequence)
      batch.entries.append(
        LedgerEntry(
          sequence: sequence, link: 0, monotonic: entry.monotonic,
          wall: entry.wall.advanced(byMicroseconds: 3_600_000_000), content: entry.content))
    }
    try repository.append(batch, to: id)
    _ = try annotations.mark(id, at: wall(3600 + 30), "coffee")
    #expect(try seconds() == [30])
  }

  @Test func testReplacedCopy_GivesItsNoteAndMarkersToTheKeptSession() throws {
    let copy = SessionFixture.identifier(7)
    var batch = SessionBatch()
    batch.links = [SessionFixture.link()]
    let entry = SessionFixture.entry(0)
    batch.entries = [
      LedgerEntry(sequence: 0, link: 0, monotonic: entry.monotonic, wall: wall(2), content: entry.content)
    ]
    try repository.begin(SessionFixture.description(id: copy, startSecond: 2), with: batch)
    try annotations.change(copy, SessionEdit(note: .some("from the watch")))
    try annotations.change(id, SessionEdit(note: .some("mine")))
    _ = try annotations.mark(copy, at: wall(2), "coffee")
    try repository.merge([copy], into: id)
    #expect(try repository.session(matching: id).note == "mine\nfrom the watch")
    #expect(try seconds() == [2])
  }
}
