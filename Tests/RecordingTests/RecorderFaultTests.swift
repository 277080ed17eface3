import FoundationEssentials
import Pipeline
import Recording
import Repository
import TachogramCore
import TachogramTestKit
import Testing

/// The disk fails below a recording: at every operation, for once and for a while.
@Suite("Faults below a recording")
struct RecorderFaultTests {
  private let folder: TemporaryFolder
  private let disk: FaultyDisk

  init() throws {
    folder = try TemporaryFolder()
    disk = try FaultyDisk(folder: folder.url.path)
  }

  /// What two straps say: a link that is lost and comes back, news of a strap, silence.
  private static let parts: [[StrapEvent]] = {
    var one = EventScript(strap: 0)
    var two = EventScript(strap: 1)
    var parts: [[StrapEvent]] = []
    var told = (0, 0)
    func addPart() {
      let new = one.events[told.0...] + two.events[told.1...]
      parts.append(new.sorted { $0.monotonic < $1.monotonic })
      told = (one.events.count, two.events.count)
    }
    one.up()
    one.notify(5)
    two.up()
    addPart()
    two.notify(5)
    one.notify(3)
    addPart()
    one.add(
      .identified(
        StrapIdentity(
          address: BluetoothAddress(value: 0xC0FF_EE00_0001, kind: .random), characteristics: [0x2A19: [77]])))
    one.add(.linkDown(reason: 0x08))
    two.notify(20)
    addPart()
    one.pass(seconds: 20)
    one.up(handle: 0x22)
    one.notify(10)
    addPart()
    two.notify(10)
    addPart()
    return parts
  }()

  /// What was told of a strap, as its ledger has it.
  private static func told(of strap: Int) -> [LedgerEntry.Content] {
    parts.flatMap { $0 }.filter { $0.strap == strap }.compactMap { event in
      switch event.content {
      case .notification(let value): .notification(value)
      case .linkDown(let reason): .linkDown(reason: reason)
      default: nil
      }
    }
  }

  /// Records all parts, with a commit behind each; the fault begins at an operation and ends before part `mended`, or
  /// not at all.
  private func record(
    _ database: TachogramDatabase, _ fault: FaultyDisk.Fault, at operation: Int64, times: Int64, mended: Int?,
  ) async -> Result<[LiveRecorder.Ended], any Error> {
    var bench = RecorderBench(
      database: database, options: LiveOptions(person: "anna", resumes: true), clock: ManualTimeSource())
    disk.fail(fault, at: operation, times: times)
    for (number, part) in Self.parts.enumerated() {
      if number == mended { disk.mend() }
      await bench.hear(part)
      await bench.pass(seconds: 2)
    }
    do { return .success(try await bench.end()) } catch { return .failure(error) }
  }

  private func expectWhole(_ database: TachogramDatabase, _ place: String) throws {
    let repository = SessionRepository(database: database)
    let records = try repository.sessions().sorted {
      $0.description.strap.address.value < $1.description.strap.address.value
    }
    #expect(records.count == 2, "\(place)")
    for (strap, record) in records.enumerated() {
      #expect(record.isComplete, "\(place)")
      #expect(record.description.person == "anna", "\(place)")
      let stored = try StoredSession(record.description.id, in: database)
      #expect(stored.entries.map(\.content) == Self.told(of: strap), "\(place)")
      #expect(stored.entries.map(\.sequence) == Array(0..<Int64(stored.entries.count)), "\(place)")
      #expect(stored.contradiction() == nil, "\(place)")
    }
    let battery = records.first?.description.strap.characteristics[0x2A19]
    #expect(battery == [77], "\(place)")
    #expect(try database.checkIntegrity() == [], "\(place)")
  }

  /// Whatever was stored before the end is a part of what was told, and says that it was cut off unless it is all.
  private func expectPrefix(_ database: TachogramDatabase, _ place: String) throws {
    for record in try SessionRepository(database: database).sessions() {
      let strap = Int(record.description.strap.address.value & 0xF) - 1
      let stored = try StoredSession(record.description.id, in: database)
      let told = Self.told(of: strap)
      #expect(stored.entries.map(\.content) == Array(told.prefix(stored.entries.count)), "\(place)")
      #expect(!record.isComplete || stored.entries.count == told.count, "\(place)")
    }
    #expect(try database.checkIntegrity() == [], "\(place)")
  }

  @Test(arguments: [FaultyDisk.Fault.full, .inputOutput, .readOnly, .busy])
  func testFaultThatPasses_CostsNothing(_ fault: FaultyDisk.Fault) async throws {
    let times: Int64 = 12
    var operation: Int64 = 1 - times
    var failures: Int64 = 1
    while failures > 0 {
      operation += times
      let path = folder.path("\(operation).sqlite")
      let database = try TachogramDatabase.open(path: path, busyTimeout: .milliseconds(1))
      let result = await record(database, fault, at: operation, times: times, mended: Self.parts.count - 1)
      failures = disk.failures
      let place = "\(fault), \(times) from \(operation) (\(disk.lastFailure))"
      disk.mend()
      #expect(throws: Never.self, "\(place)") { try result.get() }
      try expectWhole(database, place)
      try database.close()
    }
    #expect(operation > 5)
  }

  /// Full from an operation on, until somebody makes room.
  @Test(arguments: [FaultyDisk.Fault.full, .inputOutput, .readOnly], [1, 3])
  func testFaultUntilItIsMended_CostsNothing(_ fault: FaultyDisk.Fault, mended: Int) async throws {
    for operation: Int64 in [1, 8, 21] {
      let database = try TachogramDatabase.open(path: folder.path("\(operation).sqlite"))
      let result = await record(database, fault, at: operation, times: .max, mended: mended)
      disk.mend()
      #expect(throws: Never.self, "\(operation)") { try result.get() }
      try expectWhole(database, "\(fault) from \(operation) to part \(mended)")
      try database.close()
    }
  }

  /// Nobody makes room: the end of the recording says so, and what is there is what was told.
  @Test(arguments: [FaultyDisk.Fault.full, .inputOutput, .readOnly])
  func testFaultThatStays_IsTold(_ fault: FaultyDisk.Fault) async throws {
    var operation: Int64 = -19
    var failures: Int64 = 1
    while failures > 0 {
      operation += 20
      let database = try TachogramDatabase.open(path: folder.path("\(operation).sqlite"))
      let result = await record(database, fault, at: operation, times: .max, mended: nil)
      failures = disk.failures
      let place = "\(fault) from \(operation) (\(disk.lastFailure))"
      disk.mend()
      switch result {
      case .success: try expectWhole(database, place)
      case .failure(let error):
        #expect(error is RepositoryError, "\(place)")
        try expectPrefix(database, place)
      }
      try database.close()
    }
    #expect(operation > 5)
  }

  /// A recorder that cannot store says so while it goes on, and no longer when it can.
  @Test func testFullDisk_IsToldUntilThereIsRoom() async throws {
    let database = try TachogramDatabase.open(path: folder.path("full.sqlite"))
    var bench = RecorderBench(database: database, options: LiveOptions(), clock: ManualTimeSource())
    await bench.hear(Self.parts[0])
    await bench.pass(seconds: 2)
    #expect(await bench.recorder.storageFailure == nil)
    disk.fail(.full, at: 1, times: .max)
    await bench.hear(Self.parts[1])
    await bench.pass(seconds: 2)
    #expect(await bench.recorder.storageFailure == .full(path: database.path))
    await bench.pass(seconds: 2)
    #expect(await bench.recorder.storageFailure == .full(path: database.path))
    disk.mend()
    await bench.pass(seconds: 2)
    #expect(await bench.recorder.storageFailure == nil)
    for part in Self.parts.dropFirst(2) { await bench.hear(part) }
    #expect(try await bench.end().count == 2)
  }
}
