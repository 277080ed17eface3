import Foundation
import Recording
import Repository
import Sessions
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

@testable import CommandProcess
@testable import Exchange

/// A recording that comes in several formats, in any order, is one session.
struct RecordingCopyTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let formats: [ExportFormat] = [.json, .fhir, .btsnoop, .csv, .rr, .kubios, .fit]
  /// From the one that keeps most to the one that keeps least.
  private static let ranks: [ExportFormat: Int] = [
    .json: 5, .fhir: 5, .btsnoop: 5, .csv: 4, .rr: 3, .kubios: 3, .fit: 1,
  ]

  private func open(_ name: String) throws -> TachogramDatabase {
    try TachogramDatabase.open(path: folder.path(name))
  }

  /// Imports a capture for a person, and gives the session.
  private func store(
    _ capture: String, in database: TachogramDatabase, person: String? = "Anna"
  ) async throws
    -> StoredSession
  {
    _ = try await importFile(capture, into: database, person: person)
    let repository = SessionRepository(database: database)
    return StoredSession(record: try #require(try repository.sessions().first), repository: repository)
  }

  /// The session in every format.
  private func export(_ session: StoredSession) throws -> [ExportFormat: String] {
    var files: [ExportFormat: String] = [:]
    for format in Self.formats {
      let sink = MemorySink()
      try SessionExporter(session: session).write(format, to: sink)
      let path = folder.path("\(session.id.prefix(8)).\(format.fileExtension)")
      try Data(sink.bytes).write(to: URL(fileURLWithPath: path))
      files[format] = path
    }
    return files
  }

  private func importFile(
    _ path: String, into database: TachogramDatabase, person: String? = nil, start: WallTime? = nil
  ) async throws -> [ImportedFile] {
    try await FileImporter(database: database, kind: .sdnn, person: person, label: nil, start: start).importFile(path)
  }

  private func ticks(_ session: StoredSession) throws -> [UInt16] {
    var ticks: [UInt16] = []
    try session.forEachBeat { ticks.append($0.rr.ticks) }
    return ticks
  }

  /// A capture of a random wearer: lost notifications, lost links, times without contact.
  private static func randomCapture(_ random: inout SplitMix64) -> [UInt8] {
    var strap = SimulatedStrap()
    strap.duration = Int(120 + random.next() % 400)
    (strap.seed, strap.noise) = (random.next(), Double(random.next() % 80))
    let rate = 45 + Double(random.next() % 100)
    strap.heartRate = { _ in rate }
    let silent = Int(random.next() % 400)
    strap.contact = { (silent..<silent + 20).contains($0) ? .notDetected : .detected }
    let lost = Set((0..<Int(random.next() % 6)).map { _ in Int(random.next() % 400) })
    let kept = strap.notifications().enumerated().filter { !lost.contains($0.offset) }.map(\.element)
    return CaptureBuilder.capture([(CaptureBuilder.strap(), CaptureBuilder.entries(kept))])
  }

  /// Every order and mix of formats: one session, with the beats of the most precise copy, and its person.
  @Test(
    arguments: ["rest", "two-links", "contact-loss", "lost-notifications", "equal-beats", "exercise", "random"], 1...4)
  func testFormatsInAnyOrder_AreOneSession(fixture: String, seed: UInt64) async throws {
    var random = SplitMix64(seed: seed &* 977)
    var capture = try FixtureLocator.capture(fixture)
    if fixture == "random" {
      capture = folder.path("random.btsnoop")
      try Data(Self.randomCapture(&random)).write(to: URL(fileURLWithPath: capture))
    }
    let original = try await store(capture, in: open("original"))
    let (files, beats) = (try export(original), try ticks(original))
    // Some of the formats, some twice.
    let count = 2 + Int(random.next() % 6)
    let mix = (0..<count).map { _ in Self.formats[Int(random.next() % UInt64(Self.formats.count))] }
    let database = try open("copy")
    let start = try original.firstInterval()
    var namesPerson = false
    for format in mix {
      _ = try await importFile(try #require(files[format]), into: database, start: start)
      namesPerson = namesPerson || format == .json || format == .fhir
      #expect(try SessionRepository(database: database).sessions().count == 1, "\(fixture) \(mix), at \(format)")
    }
    let repository = SessionRepository(database: database)
    let record = try #require(try repository.sessions().first)
    let best = mix.compactMap { Self.ranks[$0] }.max() ?? 0
    let copy = try ticks(StoredSession(record: record, repository: repository))
    #expect(copy.count == beats.count, "\(mix)")
    if best > 1 {
      #expect(copy == beats, "\(mix)")
    } else {
      #expect(zip(copy, beats).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(mix)")
    }
    #expect(record.description.madeFrom == nil || best < 5, "\(mix)")
    #expect(record.description.person == (namesPerson ? "Anna" : nil), "\(mix)")
    #expect(try repository.stress(of: record.description.id).allSatisfy { $0.person == record.description.person })
    #expect(try RecordingCopies(database: database).survey().groups.isEmpty)
  }

  /// The history of a person is not made longer by copies: as many stress levels as the session has.
  @Test func testCopies_CountOnceInTheHistory() async throws {
    let capture = try FixtureLocator.capture("rest")
    let original = try await store(capture, in: open("original"))
    let files = try export(original)
    let database = try open("copy")
    let levels = try original.repository.stress(of: original.id).count
    for format in [ExportFormat.fit, .rr, .csv, .json] {
      _ = try await importFile(
        try #require(files[format]), into: database, person: "Anna", start: original.firstInterval())
      let history = StressRepository(database: database, person: "Anna", kind: .sdnn) { Date() }
      #expect(try await history.fetchAll().count == levels, "\(format)")
    }
  }

  /// Label, person, and a level that the person deleted: they are those of the recording, whichever copy is kept.
  @Test func testMorePreciseCopy_KeepsWhatBelongsToTheRecording() async throws {
    let capture = try FixtureLocator.capture("rest")
    let original = try await store(capture, in: open("original"), person: nil)
    let files = try export(original)
    let database = try open("copy")
    let importer = FileImporter(
      database: database, kind: .sdnn, person: "Ben", label: "night", start: try original.firstInterval())
    _ = try await importer.importFile(try #require(files[.fit]))
    let repository = SessionRepository(database: database)
    let first = try #require(try repository.sessions().first)
    let level = try #require(try repository.stress(of: first.description.id).first)
    try await StressRepository(database: database, person: "Ben", kind: .sdnn) { Date() }.delete(level)
    let remaining = try repository.stress(of: first.description.id).count
    let json = try #require(files[.json])
    let imported = try await importFile(json, into: database, person: "Cleo", start: original.firstInterval())
    let file = try #require(imported.first)
    #expect(file.replaced == [first.description.id] && !file.wasKnown)
    let kept = try #require(try repository.sessions().first)
    #expect(kept.description.id == original.id)
    #expect(kept.description.person == "Ben" && kept.description.label == "night")
    #expect(try repository.stress(of: original.id).count == remaining)
  }

  /// A part is known by the whole; what a less precise copy has more is said, and not lost.
  @Test func testPartsAndOverlaps_AreSaid() async throws {
    let capture = try FixtureLocator.capture("rest")
    let original = try await store(capture, in: open("original"))
    let start = try original.firstInterval()
    let exported = try #require(try export(original)[.rr])
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: exported)), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
    func write(_ name: String, _ lines: some Sequence<Substring>) throws -> String {
      let path = folder.path(name)
      try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
      return path
    }
    let part = try await importFile(write("part", lines.prefix(120)), into: open("original"), start: start)
    #expect(part.first?.session == original.id && part.first?.wasKnown == true && part.first?.lacking == nil)
    let extra = (0..<60).map { Substring("\(700 + $0 * 3)") }
    let longer = try await importFile(write("longer", lines + extra), into: open("original"), start: start)
    #expect(longer.first?.wasKnown == false)
    #expect(longer.first?.overlapping?.map(\.session) == [original.id])
    #expect(longer.first?.text.contains("beats are also in session \(original.id.prefix(8))") == true)
    let survey = try RecordingCopies(database: open("original")).survey()
    #expect(survey.groups.isEmpty && survey.overlaps.count == 1)
  }

  @Test func testOtherRecordingsOfTheSameTime_AreOtherSessions() async throws {
    let capture = try FixtureLocator.capture("two-straps")
    let database = try open("original")
    _ = try await store(capture, in: database)
    #expect(try SessionRepository(database: database).sessions().count == 2)
    // The same beats on another day, and two straps that send the same beats at the same time.
    let series = try FixtureLocator.capture("rest")
    let rest = try await store(series, in: open("rest"))
    let file = try #require(try export(rest)[.kubios])
    for day in 0..<3 {
      let start = try rest.firstInterval().advanced(byMicroseconds: Int64(day) * 86_400_000_000)
      _ = try await importFile(file, into: open("days"), start: start)
    }
    #expect(try SessionRepository(database: open("days")).sessions().count == 3)
    let twins = folder.path("twins.btsnoop")
    let entries = CaptureBuilder.entries(SimulatedStrap().notifications())
    let bytes = CaptureBuilder.capture([(CaptureBuilder.strap(1), entries), (CaptureBuilder.strap(2), entries)])
    try Data(bytes).write(to: URL(fileURLWithPath: twins))
    _ = try await store(twins, in: open("twins"))
    #expect(try SessionRepository(database: open("twins")).sessions().count == 2)
  }

  @Test func testStoredCopies_AreListedAndMerged() async throws {
    let capture = try FixtureLocator.capture("rest")
    let original = try await store(capture, in: open("original"), person: nil)
    let files = try export(original)
    // As versions stored them that recognised no copies.
    let database = try open("copies")
    let repository = SessionRepository(database: database)
    for format in [ExportFormat.fit, .csv, .json] {
      let other = try open("one-\(format.name)")
      _ = try await importFile(try #require(files[format]), into: other, start: original.firstInterval())
      let source = SessionRepository(database: other)
      var session = try #require(try source.sessions().first).description
      if format == .fit { (session.person, session.label) = ("Anna", "night") }
      var batch = SessionBatch()
      batch.links = try source.links(of: session.id)
      try source.forEachEntry(of: session.id) { batch.entries += $0 }
      try source.forEachBeat(of: session.id) { batch.beats += $0 }
      batch.stress = try source.stress(of: session.id)
      try repository.store(session, isComplete: true) { try $0(batch) }
    }
    try database.close()
    let listed = try await Program.success("sessions", "--duplicates", "--database", folder.path("copies"))
    #expect(listed.text.split(separator: "\n").map { $0.prefix(4) } == ["kept", "copy", "copy"])
    #expect(listed.text.hasPrefix("kept     \(original.id.prefix(8))"))
    let merged = try await Program.success(
      "sessions", "--duplicates", "--merge", "--format", "json", "--database", folder.path("copies"))
    let groups = try #require(merged.object()["duplicates"] as? [[String: Any]])
    #expect(groups.count == 1 && (groups.first?["copies"] as? [Any])?.count == 2)
    let after = SessionRepository(database: try open("copies"))
    let kept = try #require(try after.sessions().first)
    #expect(try after.sessions().count == 1)
    #expect(kept.description.id == original.id)
    #expect(kept.description.person == "Anna" && kept.description.label == "night")
    let again = try await Program.success("sessions", "--duplicates", "--database", folder.path("copies"))
    #expect(again.text.isEmpty && again.errors.contains("no recording is stored twice"))
  }

  // MARK: - Dates

  @Test(arguments: ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2200-01-01T00:00:00Z", "9999-12-31T00:00:00Z"])
  func testDatesOfNoRecording_AreRefused(start: String) async throws {
    let path = folder.path("series")
    try Data((0..<400).map { "\(800 + $0 % 50)\n" }.joined().utf8).write(to: URL(fileURLWithPath: path))
    let result = try await Program.run(["import", path, "--start", start, "--database", folder.path("dates")])
    #expect(result.status == 2 && result.errors.contains("is not a valid date of a recording"))
    try Data(("# start \(start)\n" + "1000\n990\n").utf8).write(to: URL(fileURLWithPath: path))
    let named = try await Program.run(["import", path, "--database", folder.path("dates")])
    #expect(named.status == 3 && named.errors.contains("which is no date of a recording"), "\(named.errors)")
  }

  /// At both ends of what is allowed, every format brings the session back, or says that it cannot hold the date.
  @Test(arguments: ["1970-01-01T00:00:00Z", "1989-12-31T00:00:10Z", "2126-02-06T00:00:00Z", "2199-12-31T20:00:00Z"])
  func testDatesOfRecordings_ComeBackOrAreRefused(start: String) async throws {
    let path = folder.path("series")
    try Data((0..<400).map { "\(800 + $0 % 50)\n" }.joined().utf8).write(to: URL(fileURLWithPath: path))
    let time = try #require(Timestamp.time(start))
    let database = try open("dates")
    _ = try await importFile(path, into: database, start: time)
    let repository = SessionRepository(database: database)
    let session = StoredSession(record: try #require(try repository.sessions().first), repository: repository)
    for format in Self.formats {
      let sink = MemorySink()
      if let refusal = SessionExporter(session: session).refusal(of: format) {
        #expect(format == .fit && refusal.contains("fit holds dates from"))
        #expect(throws: CommandFailure.self) { try SessionExporter(session: session).write(format, to: sink) }
        continue
      }
      try SessionExporter(session: session).write(format, to: sink)
      let file = folder.path("dated.\(format.fileExtension)")
      try Data(sink.bytes).write(to: URL(fileURLWithPath: file))
      let copy = try open("dated-\(format.name)")
      _ = try await importFile(file, into: copy, start: time)
      let record = try #require(try SessionRepository(database: copy).sessions().first)
      #expect(record.beatCount == 400, "\(format)")
      #expect(abs(record.description.start.microseconds - time.microseconds) <= 1_000_000, "\(format)")
    }
  }

  @Test func testWhatAFormatCannotHold_IsSaid() async throws {
    let capture = try FixtureLocator.capture("lost-notifications")
    _ = try await store(capture, in: open("original"))
    let expected: [(format: String, words: [String])] = [
      ("json", []), ("fhir", []), ("btsnoop", ["the person"]), ("csv", ["stress levels", "the person", "the strap"]),
      ("rr", ["stress levels", "when beats were"]), ("kubios", ["the date", "--start 20", "gaps below 0.25 s"]),
      ("fit", ["below a millisecond", "gaps below a second", "the start below a second"]),
    ]
    for (format, words) in expected {
      let result = try await Program.success(
        "export", "--person", "Anna", "--format", format, "--output", folder.path("out-\(format)"), "--database",
        folder.path("original"))
      #expect(result.errors.contains("does not hold") == !words.isEmpty, "\(format): \(result.errors)")
      for word in words { #expect(result.errors.contains(word), "\(format): \(result.errors)") }
    }
  }
}
