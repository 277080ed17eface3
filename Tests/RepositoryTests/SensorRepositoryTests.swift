import Repository
import TachogramCore
import Testing

@Suite("Sensor entries")
struct SensorRepositoryTests {
  private let database: TachogramDatabase
  private let sensors: SensorRepository

  init() throws {
    database = try .inMemory()
    sensors = SensorRepository(database: database)
    try SessionRepository(database: database).begin(SessionFixture.description(), with: SessionFixture.batch(0..<20))
  }

  private static func entry(_ sequence: Int64, _ content: SensorEntry.Content) -> SensorEntry {
    SensorEntry(
      sequence: sequence, link: 0, monotonic: MonotonicTime(microseconds: sequence * 1_000),
      wall: WallTime(microseconds: SessionFixture.wallStart + sequence * 1_000), content: content)
  }

  private static let entries = [
    entry(0, .started(request: [2, 2, 0, 1, 25, 0], response: [0xF0, 2, 2, 0, 0, 5, 1, 0, 0, 0x80, 0x3F])),
    entry(1, .frame([2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3])), entry(2, .frame([])),
    entry(3, .started(request: [], response: [])), entry(4, .stopped([1, 2])),
  ]

  private func stored(batchSize: Int = 2) throws -> [SensorEntry] {
    var entries: [SensorEntry] = []
    try sensors.forEachEntry(of: SessionFixture.id, batchSize: batchSize) { entries += $0 }
    return entries
  }

  @Test(arguments: [1, 2, 5, 100]) func testEntries_AreReadAsTheyWereStored(batchSize: Int) throws {
    try sensors.append(Array(Self.entries[..<3]), to: SessionFixture.id)
    try sensors.append(Array(Self.entries[3...]), to: SessionFixture.id)
    #expect(try stored(batchSize: batchSize) == Self.entries)
  }

  @Test func testHole_IsRefusedAndChangesNothing() throws {
    try sensors.append([Self.entries[0]], to: SessionFixture.id)
    #expect(throws: RepositoryError.self) { try sensors.append([Self.entries[2]], to: SessionFixture.id) }
    #expect(throws: RepositoryError.self) {
      try sensors.append([Self.entries[1], Self.entries[1]], to: SessionFixture.id)
    }
    #expect(try stored() == [Self.entries[0]])
  }

  @Test func testOldEntries_GoAndTheirSessionStays() throws {
    try sensors.append(Self.entries, to: SessionFixture.id)
    let last = WallTime(microseconds: SessionFixture.wallStart + 4_000)
    #expect(try sensors.expire(before: last, except: []) == 0)
    let later = last.advanced(byMicroseconds: 1)
    #expect(try sensors.expire(before: later, except: [SessionFixture.id]) == 0)
    #expect(try stored().count == 5)
    #expect(try sensors.expire(before: later, except: []) == 1)
    #expect(try stored() == [] && SessionRepository(database: database).sessions().first?.entryCount == 20)
  }
}
