import Repository
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

@Suite("Session repository")
struct SessionRepositoryTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  // MARK: - Round trips

  @Test(arguments: TestStorage.allCases)
  func testFullBatch_ComesBackWhole(storage: TestStorage) throws {
    let database = try storage.open(in: folder)
    let repository = SessionRepository(database: database)
    let description = SessionFixture.description(
      person: "Anna", characteristics: [0x2A00: Array("Strap".utf8), 0x2A19: [87], 0x2A38: []],
    )
    var batch = SessionBatch()
    batch.links = [
      SessionFixture.link(0), StrapLink(number: 1, bootID: nil, handle: 0xFFFF, handleSource: .inferred),
    ]
    batch.entries = [
      SessionFixture.entry(0),
      SessionFixture.entry(1, content: .notification([])),
      SessionFixture.entry(2, content: .notification([UInt8](repeating: 0xA5, count: 512))),
      SessionFixture.entry(3, content: .linkDown(reason: 0)),
      SessionFixture.entry(4, link: 1, content: .linkDown(reason: 0xFF)),
    ]
    batch.beats = [
      SessionFixture.beat(0, entry: 0, ticks: 0), SessionFixture.beat(1, entry: 0, ticks: .max),
      Beat(
        sequence: 2, time: MonotonicTime(microseconds: -1), rr: RRInterval(ticks: 1), ledgerSequence: 2,
        marks: [.tooShort, .noContact],
      ),
    ]
    batch.gaps = BeatGap.Reason.allCases.enumerated().map { index, reason in
      SessionFixture.gap(Int64(index), entry: Int64(index), reason: reason)
    }
    batch.artifacts = [
      BeatArtifact(beat: 0, beatClass: .extra, replacements: 0, milliseconds: 0),
      BeatArtifact(beat: 1, beatClass: .extra, replacements: 1, milliseconds: 812.5),
      BeatArtifact(beat: 2, beatClass: .missed, replacements: 3, milliseconds: 1.0 / 3),
    ]
    batch.windows = [
      SessionFixture.window(endSecond: 60), SessionFixture.window(endSecond: 60, length: 120),
      SessionFixture.window(endSecond: 61, length: 60),
    ]
    batch.stress = [
      SessionFixture.stress(person: "Anna"), SessionFixture.stress(person: nil, kind: .rmssd, second: 5),
    ]

    #expect(try repository.begin(description) == 0)
    try repository.append(batch, to: description.id)
    try repository.finish(description.id)

    let record = try repository.session(matching: description.id)
    #expect(
      record
        == SessionRecord(
          description: description, end: batch.entries[4].wall, isComplete: true, entryCount: 5, beatCount: 3,
          gapCount: 3,
        ))
    #expect(try repository.sessions() == [record])
    #expect(try repository.links(of: description.id) == batch.links)
    #expect(try Self.entries(repository) == batch.entries)
    #expect(try Self.beats(repository) == batch.beats)
    #expect(try repository.gaps(of: description.id) == batch.gaps)
    #expect(try repository.artifacts(of: description.id) == batch.artifacts)
    #expect(try repository.windows(of: description.id) == batch.windows)
    #expect(try repository.stress(of: description.id) == batch.stress)
    #expect(try database.checkIntegrity().isEmpty)
  }

  @Test(arguments: [
    1.0 / 3, .pi, 0, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 1, 3, 4_294_967_296, 1e15,
    1e18, 0.1 + 0.2, -7.25, .infinity,
  ])
  func testMetricValue_ComesBackBitExact(value: Double) throws {
    let repository = SessionRepository(database: try .inMemory())
    let paths: [WritableKeyPath<HRVValues, Double?>] = [
      \.meanNN, \.meanHeartRate, \.sdnn, \.rmssd, \.lnRMSSD, \.sdsd, \.pnn50, \.pnn20, \.sd1, \.sd2,
    ]
    try repository.begin(SessionFixture.description())
    var batch = SessionBatch()
    for (index, path) in paths.enumerated() {
      // One metric at a time, so that none is taken for another.
      var values = HRVValues()
      values[keyPath: path] = value
      batch.windows.append(SessionFixture.window(endSecond: Int64(index), values: values))
    }
    try repository.append(batch, to: SessionFixture.id)
    let windows = try repository.windows(of: SessionFixture.id)
    #expect(windows == batch.windows)
    for (window, path) in zip(windows, paths) {
      #expect(window.metrics.values[keyPath: path]?.bitPattern == value.bitPattern)
    }
  }

  @Test func testMetricThatIsNoNumber_IsAbsent() throws {
    let repository = SessionRepository(database: try .inMemory())
    try repository.begin(SessionFixture.description())
    var values = HRVValues()
    values.sdnn = .nan
    values.rmssd = 25
    var batch = SessionBatch()
    batch.windows = [SessionFixture.window(endSecond: 60, values: values)]
    try repository.append(batch, to: SessionFixture.id)
    values.sdnn = nil
    #expect(try repository.windows(of: SessionFixture.id).map(\.metrics.values) == [values])
  }

  @Test func testWindowsThatEndTogether_LeaveTheLater() throws {
    let repository = SessionRepository(database: try .inMemory())
    try repository.begin(SessionFixture.description())
    var later = SessionFixture.window(endSecond: 60)
    later.metrics.count += 1
    var batch = SessionBatch()
    batch.windows = [SessionFixture.window(endSecond: 60), later]
    try repository.append(batch, to: SessionFixture.id)
    #expect(try repository.windows(of: SessionFixture.id) == [later])
  }

  @Test func testEqualConsecutiveNotificationsAndBeats_AreKept() throws {
    let repository = SessionRepository(database: try .inMemory())
    try repository.begin(SessionFixture.description())
    var batch = SessionBatch()
    batch.links = [SessionFixture.link()]
    for sequence in Int64(0)..<4 {
      var entry = SessionFixture.entry(0)
      entry.sequence = sequence
      batch.entries.append(entry)
      batch.beats.append(SessionFixture.beat(sequence, entry: 0))
    }
    try repository.append(batch, to: SessionFixture.id)
    #expect(try Self.entries(repository) == batch.entries)
    #expect(try Self.beats(repository) == batch.beats)
  }

  @Test(arguments: TestStorage.allCases)
  func testEmptySession_HasNothing(storage: TestStorage) throws {
    let database = try storage.open(in: folder)
    let repository = SessionRepository(database: database)
    #expect(try repository.sessions().isEmpty)
    let description = SessionFixture.description()
    try repository.begin(description)
    try repository.append(SessionBatch(), to: description.id)
    let record = try repository.session(matching: "0000")
    #expect(
      record
        == SessionRecord(
          description: description, end: description.start, isComplete: false, entryCount: 0, beatCount: 0,
          gapCount: 0,
        ))
    #expect(try repository.links(of: description.id).isEmpty)
    #expect(try Self.entries(repository).isEmpty)
    #expect(try Self.beats(repository).isEmpty)
    #expect(try repository.gaps(of: description.id).isEmpty)
    #expect(try repository.windows(of: description.id).isEmpty)
    #expect(try repository.stress(of: description.id).isEmpty)
    #expect(try database.checkIntegrity().isEmpty)
  }

  // MARK: - Streaming

  @Test(arguments: [-1, 1, 2, 3, 9, 10, 11, 1_000])
  func testBatchSize_CoversEveryRowOnce(batchSize: Int) throws {
    let repository = SessionRepository(database: try .inMemory())
    try repository.begin(SessionFixture.description())
    let batch = SessionFixture.batch(0..<10)
    try repository.append(batch, to: SessionFixture.id)
    var entries: [LedgerEntry] = []
    try repository.forEachEntry(of: SessionFixture.id, batchSize: batchSize) { part in
      #expect(part.count <= max(1, batchSize))
      entries += part
    }
    var beats: [Beat] = []
    try repository.forEachBeat(of: SessionFixture.id, batchSize: batchSize) { beats += $0 }
    #expect(entries == batch.entries)
    #expect(beats == batch.beats)
  }

  @Test func testStreamingBody_MayUseTheDatabaseAndSeesOneState() throws {
    let repository = SessionRepository(database: try .inMemory())
    try repository.begin(SessionFixture.description())
    try repository.append(SessionFixture.batch(0..<4), to: SessionFixture.id)
    var appended = false
    var sequences: [Int64] = []
    try repository.forEachEntry(of: SessionFixture.id, batchSize: 3) { part in
      if !appended { try repository.append(SessionFixture.batch(4..<6), to: SessionFixture.id) }
      appended = true
      sequences += part.map(\.sequence)
    }
    #expect(sequences == [0, 1, 2, 3])
    #expect(try Self.entries(repository).count == 6)
  }

  @Test func testStreamingBody_ErrorPassesThrough() throws {
    struct Stop: Error {}
    let repository = SessionRepository(database: try .inMemory())
    try repository.begin(SessionFixture.description())
    try repository.append(SessionFixture.batch(0..<4), to: SessionFixture.id)
    #expect(throws: Stop.self) { try repository.forEachEntry(of: SessionFixture.id) { _ in throw Stop() } }
    #expect(throws: Stop.self) { try repository.forEachBeat(of: SessionFixture.id) { _ in throw Stop() } }
  }

  @Test func testSessionThatBeginsAnewWhileItsBeatsAreRead_IsAnError() throws {
    let repository = SessionRepository(database: try .inMemory())
    try repository.begin(SessionFixture.description())
    try repository.append(SessionFixture.batch(0..<10), to: SessionFixture.id)
    #expect(throws: RepositoryError.sessionChanged(session: SessionFixture.id)) {
      try repository.forEachBeat(of: SessionFixture.id, batchSize: 2) { _ in
        try repository.begin(SessionFixture.description())
      }
    }
  }

  // MARK: - Finding

  @Test func testSessions_AreNewestFirst() throws {
    let repository = SessionRepository(database: try .inMemory())
    for (number, second) in [(1, 20), (2, 10), (3, 30)] {
      try repository.begin(
        SessionFixture.description(id: SessionFixture.identifier(number), startSecond: Int64(second)))
    }
    #expect(try repository.sessions().map(\.description.id) == [3, 1, 2].map(SessionFixture.identifier))
  }

  @Test func testPrefix_FindsExactlyOneSession() throws {
    let repository = SessionRepository(database: try .inMemory())
    let first = SessionFixture.identifier(0xABCD_0001)
    let second = SessionFixture.identifier(0xABCD_0002)
    for id in [first, second] { try repository.begin(SessionFixture.description(id: id)) }

    #expect(try repository.session(matching: "abcd0001").description.id == first)
    #expect(try repository.session(matching: "ABCD0002-AAAA").description.id == second)
    #expect(try repository.session(matching: first).description.id == first)
    #expect(throws: RepositoryError.sessionAmbiguous(prefix: "abcd", matches: [first, second])) {
      try repository.session(matching: "abcd")
    }
    #expect(throws: RepositoryError.prefixTooShort(prefix: "abc")) { try repository.session(matching: "abc") }
    #expect(throws: RepositoryError.prefixTooShort(prefix: "")) { try repository.session(matching: "") }
    for absent in ["abce", "%%%%", "abcd0001x", "ABC_", first + "0", "😀😀😀😀"] {
      #expect(throws: RepositoryError.sessionNotFound(prefix: absent)) { try repository.session(matching: absent) }
    }
  }

  @Test func testUnknownSession_IsAnError() throws {
    let repository = SessionRepository(database: try .inMemory())
    let error = RepositoryError.sessionNotFound(prefix: SessionFixture.id)
    #expect(throws: error) { try repository.append(SessionFixture.batch(0..<1), to: SessionFixture.id) }
    #expect(throws: error) { try repository.finish(SessionFixture.id) }
    #expect(throws: error) { try repository.links(of: SessionFixture.id) }
    #expect(throws: error) { try repository.gaps(of: SessionFixture.id) }
    #expect(throws: error) { try repository.windows(of: SessionFixture.id) }
    #expect(throws: error) { try repository.stress(of: SessionFixture.id) }
    #expect(throws: error) { try repository.forEachEntry(of: SessionFixture.id) { _ in } }
    #expect(throws: error) { try repository.forEachBeat(of: SessionFixture.id) { _ in } }
  }

  // MARK: - Values

  static func entries(_ repository: SessionRepository, of id: String = SessionFixture.id) throws -> [LedgerEntry] {
    var entries: [LedgerEntry] = []
    try repository.forEachEntry(of: id) { entries += $0 }
    return entries
  }

  static func beats(_ repository: SessionRepository, of id: String = SessionFixture.id) throws -> [Beat] {
    var beats: [Beat] = []
    try repository.forEachBeat(of: id) { beats += $0 }
    return beats
  }
}
