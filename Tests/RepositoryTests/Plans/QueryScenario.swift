import FoundationEssentials
import GRDB
import StressKit
import TachogramCore

@testable import Repository

/// Asks everything of a database that can be asked, so that each statement of this program runs at least once.
enum QueryScenario {
  private static let all = WallTime(microseconds: .min)...WallTime(microseconds: .max)
  private static let day = CivilDay(number: SessionFixture.wallStart / 86_400_000_000)

  static func run(_ database: TachogramDatabase) async throws {
    let steps = FaultScenario.steps.filter { $0.name != "copy it" }
    let firstDeletion = steps.firstIndex { $0.name == "let windows expire" } ?? steps.endIndex
    for step in steps[..<firstDeletion] { try await step.body(database) }
    try sessions(database)
    try editing(database)
    try await measurements(database)
    try history(database)
    try straps(database)
    try nights(database)
    try synchronisation(database)
    try await deletions(database)
    for step in steps[firstDeletion...] { try await step.body(database) }
    try database.probe()
    _ = try database.unusedBytes()
    _ = try database.checkIntegrity()
  }

  private static func batch(_ person: String?, _ id: String) -> SessionBatch {
    var batch = SessionFixture.batch(0..<20)
    batch.entries.append(SessionFixture.entry(20, content: .linkDown(reason: 8)))
    batch.gaps = [SessionFixture.gap(0, entry: 10)]
    batch.artifacts = [BeatArtifact(beat: 3, beatClass: .ectopic, replacements: 1, milliseconds: 800)]
    var values = HRVValues()
    (values.meanHeartRate, values.sdnn) = (60, 50)
    batch.windows = [60, 300].map { SessionFixture.window(endSecond: 65, length: $0, values: values) }
    batch.stress = [SessionFixture.stress(person: person, second: 60, sessionID: id)]
    return batch
  }

  private static func sessions(_ database: TachogramDatabase) throws {
    let repository = SessionRepository(database: database)
    for number in 3...6 {
      let id = SessionFixture.identifier(number)
      let session = SessionFixture.description(id: id, person: "Carl", startSecond: Int64(number) * 1000)
      try repository.store(session, isComplete: true) { append in try append(batch("Carl", id)) }
    }
    let id = SessionFixture.identifier(3)
    for derivation in [SessionPiece.Derivation.pending(.sdnn), .complete, .pending(.sdnn)] {
      _ = try repository.store([SessionPiece(.continuation(id), SessionBatch(), derivation: derivation)])
    }
    var heard = SessionFixture.description(id: SessionFixture.identifier(7), startSecond: 7000)
    heard.deviceID = SessionDescription.unknownDevice
    try repository.begin(heard)
    try repository.nameRecordings("here")
    _ = try repository.pendingDerivations()
    _ = try repository.deletedStress(of: id)
    _ = try database.contentMark()
    try repository.derive(batch("Carl", id), of: id, isOver: true)
    try repository.merge([SessionFixture.identifier(4)], into: id, person: "Dora", label: "night")
    _ = try repository.sessions(overlapping: all)
    _ = try repository.session(matching: String(id.prefix(8)))
    _ = try repository.storedSession(id)
    _ = try repository.links(of: id)
    _ = try repository.firstBeat(of: id)
    _ = try repository.gaps(of: id)
    _ = try repository.artifacts(of: id)
    _ = try repository.windows(of: id)
    _ = try repository.stress(of: id)
  }

  private static func editing(_ database: TachogramDatabase) throws {
    let (repository, annotations) = (SessionRepository(database: database), AnnotationRepository(database: database))
    let (id, other) = (SessionFixture.identifier(5), SessionFixture.identifier(8))
    try annotations.change(id, SessionEdit(person: .some("Carl"), label: .some("run"), note: .some("long")))
    let session = try repository.session(matching: id).description
    let marker = try annotations.mark(id, at: session.start, "coffee")
    try annotations.unmark(id, marker.id)
    _ = try repository.markers(of: id)
    _ = try repository.entries(of: id, after: session.start, until: session.start.advanced(by: .seconds(9)))
    let reading = HRVReading(
      id: SessionFixture.identifier(9), kind: .spot, person: "Carl", session: id, start: session.start,
      duration: .seconds(60), coverage: 1, artifactShare: 0, count: 60)
    let readings = ReadingRepository(database: database)
    try readings.add([reading])
    _ = try readings.readings(of: "Carl")
    _ = try readings.readings(in: session)
    var second = session
    (second.id, second.start) = (other, session.start.advanced(by: .seconds(10)))
    second.monotonicStart = session.monotonicStart.advanced(by: .seconds(10))
    var rest = SessionBatch()
    rest.links = [SessionFixture.link()]
    rest.entries = [SessionFixture.entry(0)]
    for kept in [RederivedSession.Kept.nothing, .deletedWindows] {
      try repository.divide(
        id, DividedSession(firstCount: 10, firstBatch: SessionBatch(), second: second, secondBatch: rest, kept: kept))
      var joined = SessionBatch()
      joined.entries = [SessionFixture.entry(10)]
      _ = try repository.join(
        id, JoinedSession(other: other, newID: SessionFixture.identifier(12), shift: .zero, batch: joined, kept: kept))
    }
    _ = try readings.delete(reading.id)
  }

  private static func nights(_ database: TachogramDatabase) throws {
    let (nights, sensors) = (SleepRepository(database: database), SensorRepository(database: database))
    let id = SessionFixture.identifier(5)
    let start = try SessionRepository(database: database).session(matching: id).description.monotonicStart
    var night = SleepSession(session: id, origin: .page, lightsOff: start)
    try nights.store(night)
    night.staging = SleepSession.Staging(
      estimator: "test",
      periods: [SleepStagePeriod(start: start, end: start.advanced(by: .seconds(30)), stage: .light)])
    try nights.store(night)
    _ = try nights.night(of: id)
    _ = try nights.nights(of: "Carl", startingIn: all)
    _ = try nights.running()
    _ = try nights.nights()
    try nights.store([MovementEpoch(time: start, intensity: 1, coverage: 1)], of: id)
    _ = try nights.movement(of: id)
    try nights.store([SoundSample(time: start, level: -60, peak: -40)], of: id)
    _ = try nights.sound(of: id)
    let wall = WallTime(microseconds: SessionFixture.wallStart)
    try sensors.append(
      [SensorEntry(sequence: 0, link: 0, monotonic: start, wall: wall, content: .frame([2]))], to: id)
    try sensors.forEachEntry(of: id) { _ in }
    _ = try sensors.expire(before: wall.advanced(byMicroseconds: 1), except: [])
    _ = try nights.forget(id)
  }

  private static func measurements(_ database: TachogramDatabase) async throws {
    let measurement = SessionFixture.stress(person: "Carl", second: 5, sessionID: nil)
    let repository = StressRepository(
      database: database, person: "Carl", kind: .sdnn, now: { measurement.timestamp })
    try await repository.add([measurement])
    _ = try await repository.fetchRecent(limit: 5)
    _ = try await repository.fetchByDateRange(measurement.timestamp, measurement.timestamp)
    _ = try await repository.getBaseline()
    try await repository.refreshBaseline(try await repository.getBaseline())
    _ = try repository.hrvHistory(
      since: measurement.timestamp, until: measurement.timestamp, excludingSession: SessionFixture.identifier(3))
    try await repository.deleteAll()
  }

  private static func synchronisation(_ database: TachogramDatabase) throws {
    let (own, other) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
    let (state, outbox, inbox) = (
      SyncRepository(database: database), SyncOutbox(database: database), SyncInbox(database: database)
    )
    let clock = SyncRows.Clock(wall: WallTime(microseconds: 1), counter: 0)
    let id = SessionFixture.identifier(3)
    try state.join(
      SyncRows.Space(
        space: [UInt8](repeating: 7, count: 32), station: own, store: "/store", name: "here", generation: 0,
        clock: clock),
      memberRecords: [other: [1]])
    _ = try state.space()
    try state.setProblem("full")
    try state.setSynchronised(clock.wall)
    try state.add(memberRecords: [own: [2]])
    _ = try state.memberRecords()
    let level = SessionFixture.stress(person: "Carl", second: 7, sessionID: nil)
    try database.write { db in try StressMeasurementTable(db: db).store(level) }
    _ = try outbox.unsealed()
    _ = try outbox.entries(of: id, from: 0, limit: 10)
    let marker = try AnnotationRepository(database: database).mark(
      id, at: SessionFixture.description(id: id, startSecond: 3000).start, "coffee")
    _ = try outbox.marker(marker.id)
    _ = try outbox.reading(id)
    let chunk = SyncRows.Chunk(
      sequence: 1, digest: own, previous: own, epoch: 1, sealed: clock.wall, hasBody: true)
    let log = SyncRows.Log(station: own, state: [], carried: 0)
    var sealing = SyncSealing(log: log, headerLength: 4)
    sealing.sealed = [1, 2].map { SyncRows.Sealed(sequence: $0, kind: 1, session: id, envelope: [1, 2, 3, 4, 5]) }
    sealing.chunks = [chunk]
    sealing.progress = [SyncSealing.Progress(session: id, sealedCount: 10, isOver: true)]
    sealing.stress = try outbox.levels(limit: 10).map { ($0, 1) }
    sealing.edits = [SyncRows.Edit(kind: 1, target: id, field: 1, value: "night", clock: clock, station: own)]
    sealing.discarded = sealing.edits
    sealing.done = try Array(outbox.changes().prefix(1))
    sealing.carried = [other: 1]
    sealing.dropped = [2]
    sealing.clock = clock
    try outbox.store(sealing)
    _ = try outbox.sequences(of: id)
    _ = try outbox.pending(byteLimit: 100)
    _ = try outbox.kept(1...2)
    _ = try outbox.queue()
    _ = try outbox.hasUrgent()
    try outbox.setUploaded([1])
    try outbox.setBodiesDeleted([1])
    try split(id, database)
    try outbox.sealAgain([1], editKind: 4)
    _ = try outbox.edits(inChunk: 1)
    _ = try outbox.dropped()
    try state.store([SyncRows.Finding(kind: 0, station: own, sequences: "1-1", witness: other, reason: "cut")])
    _ = try state.findings()
    try state.acceptRefused()
    _ = try state.logs()
    _ = try state.chunks(of: own)
    _ = try state.edits()
    _ = try state.deletions(of: [id])
    var nobody = SessionSelection()
    nobody.person = "nobody"
    try DeletionRepository(database: database).delete(nobody, .stress)
    try straps(of: SessionFixture.description().strap.address, database)
    for station in [own, other] { try receive(inbox, from: station, clock) }
    _ = try (outbox.isReceived(id), outbox.isDeleted(id), outbox.isShared(id), outbox.levels(of: id, limit: 10))
    try inbox.derive(SessionBatch(), of: SessionFixture.identifier(8))
    let scope = SyncScope(.session(SessionFixture.identifier(6)), .sessions, at: WallTime(microseconds: .max))
    _ = try inbox.apply(
      [SyncArrival(sequence: 2, .edits([], [.deleted(scope)]))], of: other, kind: .sdnn, clock: clock
    ) { _ in (SyncRows.Log(station: other, state: [], carried: 0), []) }
    try outbox.release(through: 1)
    try state.replace(log, [chunk])
    try state.beginGeneration(2, uploading: true, headerLength: 4, members: [own])
    try state.beginGeneration(3, uploading: false, headerLength: 4, members: [own])
    try state.restart(as: other, memberRecords: [:])
    try state.leave()
  }

  /// Splits a session that other stations have, and joins its parts.
  private static func split(_ id: String, _ database: TachogramDatabase) throws {
    let repository = SessionRepository(database: database)
    var second = try repository.session(matching: id).description
    (second.id, second.start) = (SessionFixture.identifier(11), second.start.advanced(by: .seconds(10)))
    second.monotonicStart = second.monotonicStart.advanced(by: .seconds(10))
    try repository.divide(
      id,
      DividedSession(
        firstCount: 10, firstBatch: SessionBatch(), second: second, secondBatch: SessionBatch(), kept: .importedStress))
    _ = try repository.join(
      id,
      JoinedSession(
        other: second.id, newID: SessionFixture.identifier(12), shift: .zero, batch: SessionBatch(),
        kept: .importedStress))
    try database.write { db in
      try db.execute(sql: "UPDATE session SET id = ? WHERE id = ?", arguments: [id, SessionFixture.identifier(12)])
    }
  }

  private static func straps(of address: BluetoothAddress, _ database: TachogramDatabase) throws {
    try StrapRepository(database: database).remember(
      KnownStrap(
        address: address, name: "strap of all", advertisedName: nil, isBonded: false,
        added: WallTime(microseconds: 1), person: nil, label: nil))
  }

  private static func receive(_ inbox: SyncInbox, from station: [UInt8], _ clock: SyncRows.Clock) throws {
    let id = SessionFixture.identifier(station[0] == 1 ? 10 : 8)
    let session = SessionFixture.description(id: id, person: "Carl", startSecond: 8000)
    let batch = batch("Carl", id)
    var entries = Array(batch.entries.prefix(20))
    entries.sort { $0.sequence < $1.sequence }
    let edit = SyncRows.Edit(kind: 1, target: id, field: 1, value: "one", clock: clock, station: station)
    let address = session.strap.address
    let contents: [SyncArrival.Content] = [
      .ledger(session, [SessionFixture.link()], entries, isOver: true), .measurements(batch.stress, []),
      .measurements([], [], whole: id),
      .night(session: id, nil, []),
      .edits(
        [edit, SyncRows.Edit(kind: 1, target: id, field: 0, value: nil, clock: clock, station: station)],
        [
          .session(id, SessionEdit(label: "two")), .strap(address, name: "strap of one", person: .some("Carl")),
          .marker(
            SessionMarker(id: SessionFixture.identifier(9), time: session.monotonicStart, text: "tea"), session: id),
          .deletedMarker(SessionFixture.identifier(9)), .deletedReading(id), .deletedLevel(batch.stress[0].id),
          .deletedSession(SessionFixture.identifier(7)), .cutSession(id, entryCount: 5),
        ]),
    ]
    try inbox.adopt(address, name: "strap", person: nil)
    let own = [SyncRows.Sealed(sequence: 9, kind: 1, session: nil, envelope: nil)]
    _ = try inbox.apply(
      contents.map { SyncArrival(sequence: 1, $0) }, of: station, kind: .sdnn, clock: clock, own: own
    ) { _ in (SyncRows.Log(station: station, state: [], carried: 0), []) }
  }

  private static func history(_ database: TachogramDatabase) throws {
    let history = HistoryRepository(database: database)
    _ = try history.stock(of: "Carl", since: WallTime(microseconds: 0))
    for person in try history.persons().map(Optional.some) + [nil] {
      let page = try history.sessions(of: person, in: all, limit: 1)
      _ = try history.sessions(of: person, in: all, limit: 1, after: page.next)
      try WindowRepository(database: database, person: person).forEachWindow(ofLength: 300, in: all) { _ in }
    }
    _ = try history.windows(of: SessionFixture.identifier(3), length: 300)
    let trends = TrendRepository(database: database, timeZone: .gmt)
    try trends.refresh()
    for period in [TrendPeriod.day, .year] { _ = try trends.points(of: "Carl", period, last: day) }
    _ = try trends.hours(of: "Carl")
    try TrendRepository(database: database, timeZone: TimeZone(secondsFromGMT: 3600) ?? .gmt).adoptTimeZone()
  }

  private static func straps(_ database: TachogramDatabase) throws {
    let straps = StrapRepository(database: database)
    for strap in try straps.straps() { try straps.forget(strap) }
  }

  private static func deletions(_ database: TachogramDatabase) async throws {
    let repository = DeletionRepository(database: database)
    var session = SessionSelection()
    session.session = SessionFixture.identifier(3)
    var carl = SessionSelection()
    carl.person = "Carl"
    var times = SessionSelection()
    times.range = all
    var strap = SessionSelection()
    strap.strap = SessionFixture.description().strap.address
    for selection in [session, carl, times, strap, SessionSelection()] {
      for category in DataCategory.allCases { _ = try repository.preview(selection, category) }
    }
    for category in [DataCategory.windows, .stress] { try repository.delete(session, category) }
    // As on a full disk.
    let carls = try database.read { db in try SelectedSession.all(db, carl) }
    for category in [DataCategory.windows, .stress, .sessions] {
      try SlicedDeletion(database: database).delete(category, of: carls, carl)
    }
    try repository.delete(carl)
    try repository.deleteTrends(before: WallTime(microseconds: .max))
  }
}
