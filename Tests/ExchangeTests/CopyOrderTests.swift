import Foundation
import Recording
import Repository
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

@testable import Exchange

/// Copies of one recording that are cut at either end, in formats of different precision, leave the same sessions in every
/// order.
struct CopyOrderTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let formats: [(format: ExportFormat, rank: RecordingPrecision.Source)] = [
    (.json, .capture), (.btsnoop, .capture), (.csv, .table), (.rr, .text), (.kubios, .text), (.fit, .activity),
  ]
  /// Of 180 notifications, one a second: whole, without a beginning, an end, both; two that overlap; one that lacks as few beats
  /// as a copy may.
  private static let cuts = [0..<180, 60..<180, 0..<120, 40..<140, 90..<180, 2..<180]

  /// A file, and what is in it.
  private struct Copy: CustomStringConvertible {
    let path: String
    let start: WallTime
    /// Positions of its beats in the whole recording.
    let beats: Range<Int>
    let source: RecordingPrecision.Source

    var description: String { "\(source) \(beats)" }

    /// Whether `other` is not kept beside it, by the table of ADR 17.
    func displaces(_ other: Copy) -> Bool {
      let common = beats.clamped(to: other.beats).count
      let isHeld = other.beats.count - common <= max(3, common / 50)
      let holdsToo = beats.count - common <= max(3, common / 50)
      if common == 0 || !isHeld { return false }
      if source != other.source { return source > other.source }
      return !holdsToo || beats.count > other.beats.count
    }
  }

  /// What is stored, without what was computed of it.
  private struct Stored: Hashable {
    let id: String
    let source: RecordingPrecision.Source
    let person: String?
    let start: WallTime
    let beats: [RecordedBeat]
    let gaps: Int64
  }

  private func open(_ name: String) throws -> TachogramDatabase {
    try TachogramDatabase.open(path: folder.path(name))
  }

  @discardableResult
  private func importFile(
    _ path: String, into database: TachogramDatabase, start: WallTime? = nil, person: String? = nil
  ) async throws -> ImportedFile {
    let importer = FileImporter(database: database, kind: .sdnn, person: person, label: nil, start: start)
    return try #require(try await importer.importFile(path).first)
  }

  private func stored(_ database: TachogramDatabase) throws -> Set<Stored> {
    let repository = SessionRepository(database: database)
    let sessions = try repository.sessions().map { record in
      var beats: [RecordedBeat] = []
      try repository.forEachBeat(of: record.description.id) {
        beats += $0.compactMap { RecordedBeat($0, of: record.description) }
      }
      return Stored(
        id: record.description.id, source: RecordingPrecision(record.description, beats).source,
        person: record.description.person, start: record.description.start, beats: beats, gaps: record.gapCount)
    }
    return Set(sessions)
  }

  /// A cut of a strap's notifications in every format.
  private func copies(of all: [SimulatedStrap.Notification], _ cut: Range<Int>) async throws -> [Copy] {
    // Some are lost, so that there is a gap in each.
    func kept(_ range: Range<Int>) -> [SimulatedStrap.Notification] {
      range.filter { !(100..<106).contains($0) }.map { all[$0] }
    }
    let capture = folder.path("\(cut).btsnoop")
    let bytes = CaptureBuilder.capture([(CaptureBuilder.strap(), CaptureBuilder.entries(kept(cut)))])
    try Data(bytes).write(to: URL(fileURLWithPath: capture))
    let database = try open("\(cut)")
    try await importFile(capture, into: database, person: "Anna")
    let repository = SessionRepository(database: database)
    let session = StoredSession(record: try #require(try repository.sessions().first), repository: repository)
    let first = kept(0..<cut.lowerBound).reduce(0) { $0 + $1.measurement.rrIntervals.count }
    let start = try session.firstInterval()
    return try Self.formats.map { format, source in
      let sink = MemorySink()
      try SessionExporter(session: session).write(format, to: sink)
      let path = folder.path("\(cut).\(format.name)")
      try Data(sink.bytes).write(to: URL(fileURLWithPath: path))
      return Copy(path: path, start: start, beats: first..<first + Int(session.record.beatCount), source: source)
    }
  }

  private static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func testCutCopiesInEveryOrder_LeaveTheSameSessions(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed &* 7919)
    var strap = SimulatedStrap()
    (strap.duration, strap.seed, strap.noise) = (180, seed, 40)
    let rate = 50 + Double(random.next() % 60)
    strap.heartRate = { _ in rate }
    let notifications = strap.notifications()
    var files: [Copy] = []
    for _ in 0..<3 {
      let cut = try #require(Self.cuts.randomElement(using: &random))
      files.append(try #require(try await copies(of: notifications, cut).randomElement(using: &random)))
    }
    var first: Set<Stored>?
    for order in Self.orders {
      let database = try open("\(order)")
      for index in order { try await importFile(files[index].path, into: database, start: files[index].start) }
      let sessions = try stored(database)
      #expect(sessions == first ?? sessions, "\(files) in the order \(order)")
      first = first ?? sessions
      #expect(try RecordingCopies(database: database).survey().groups.isEmpty)
    }
    // What nothing displaces is there, and nothing else.
    let kept = files.filter { copy in !files.contains { $0.displaces(copy) } }
    // A file may be among them twice.
    let expected = Dictionary(kept.map { ("\($0)", $0) }, uniquingKeysWith: { $1 }).values
    let counts = (first ?? []).map { "\($0.source) \($0.beats.count)" }.sorted()
    #expect(counts == expected.map { "\($0.source) \($0.beats.count)" }.sorted(), "\(files)")
  }

  // MARK: - The table, in both orders

  /// What is said of two copies, and how many sessions are left.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    /// Formats, and cuts by position among `cuts`.
    let first: (format: ExportFormat, cut: Int)
    let second: (format: ExportFormat, cut: Int)
    let sessions: Int
    /// At the second import, in this order and in the other one.
    let said: String
    let saidInReverse: String

    var testDescription: String { name }
  }

  static let rows = [
    Row(
      name: "a precise part of a coarse copy", first: (.csv, 1), second: (.fit, 0), sessions: 2,
      said: "beats are also in session", saidInReverse: "beats are also in session"),
    Row(
      name: "a coarse part of a precise copy", first: (.fit, 1), second: (.csv, 0), sessions: 1,
      said: "stored in the place of copies", saidInReverse: "already stored as session"),
    Row(
      name: "the same beats, one more precisely", first: (.fit, 0), second: (.json, 0), sessions: 1,
      said: "stored in the place of copies", saidInReverse: "already stored as session"),
    Row(
      name: "a precise copy that lacks a few beats", first: (.json, 5), second: (.fit, 0), sessions: 1,
      said: "2 beats of it are not in that session", saidInReverse: "2 beats of "),
    Row(
      name: "a part of equal precision", first: (.csv, 1), second: (.csv, 0), sessions: 1,
      said: "stored in the place of copies", saidInReverse: "already stored as session"),
    Row(
      name: "two parts that overlap", first: (.csv, 2), second: (.fit, 1), sessions: 2,
      said: "beats are also in session", saidInReverse: "beats are also in session"),
  ]

  @Test(arguments: rows)
  func testEachRowOfTheTable_IsSaidInBothOrders(row: Row) async throws {
    var strap = SimulatedStrap()
    strap.duration = 180
    var files: [Copy] = []
    for (format, cut) in [row.first, row.second] {
      let position = try #require(Self.formats.firstIndex { $0.format == format })
      files.append(try await copies(of: strap.notifications(), Self.cuts[cut])[position])
    }
    var left: [Set<Stored>] = []
    for (order, said) in [(files, row.said), (files.reversed(), row.saidInReverse)] {
      let database = try open("\(order)")
      try await importFile(order[0].path, into: database)
      let second = try await importFile(order[1].path, into: database)
      #expect(second.text.contains(said), "\(second.text)")
      left.append(try stored(database))
    }
    #expect(left[0].count == row.sessions && left[0] == left[1])
  }

  /// Two live recordings both stay, in either order, until somebody merges them; what is imported gives way to them.
  @Test func testLiveRecordings_AreNotDeletedForOthers() async throws {
    var strap = SimulatedStrap()
    strap.duration = 180
    var lives: [String] = []
    let whole = try await copies(of: strap.notifications(), Self.cuts[0])
    for (number, copy) in [whole[0], try await copies(of: strap.notifications(), Self.cuts[1])[0]].enumerated() {
      let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: copy.path)), as: UTF8.self)
      let path = folder.path("live-\(number)")
      let live = text.replacing("\"origin\":\"replay\"", with: "\"origin\":\"live\"")
        .replacing(#/"id":"[0-9a-f]{8}-/#, with: "\"id\":\"0000000\(number)-", maxReplacements: 1)
      try Data(live.utf8).write(to: URL(fileURLWithPath: path))
      lives.append(path)
    }
    for order in [lives, lives.reversed()] {
      let name = "of \(order.map { $0.suffix(1) })"
      let database = try open(name)
      try await importFile(whole[2].path, into: database)
      for path in order { try await importFile(path, into: database) }
      let part = try await importFile(whole[1].path, into: database)
      #expect(part.wasKnown)
      #expect(
        try stored(database).map { "\($0.id.prefix(8)) \($0.source)" }.sorted() == ["00000000 live", "00000001 live"])
      try database.close()
      let merged = try await Program.success("sessions", "--duplicates", "--merge", "--database", folder.path(name))
      #expect(merged.text.hasPrefix("kept     00000000"), "\(merged.text)")
      #expect(try stored(open(name)).map(\.id.first) == ["0"])
    }
  }

  // MARK: - At the same time

  @Test func testImportsAtTheSameTime_LeaveOneSession() async throws {
    let files = try await copies(of: SimulatedStrap().notifications(), Self.cuts[0]).filter { $0.source != .text }
    let path = folder.path("shared")
    let programs = try (0..<2).map { number in
      try Program.start(
        ["import", "--database", path] + (number == 0 ? files : files.reversed()).map(\.path))
    }
    for program in programs {
      let ending = await program.end()
      #expect(ending.status == 0, "\(ending.errors)")
    }
    let sessions = try stored(open("shared"))
    #expect(sessions.count == 1 && sessions.first?.source == .capture)
  }
}
