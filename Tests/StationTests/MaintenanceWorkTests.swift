import Foundation
import GATT
import Logging
import Recording
import Repository
import Synchronization
import TachogramCore
import TachogramTestKit
import Testing

@testable import Dashboard
@testable import Station

/// What is done once a day.
@Suite("Maintenance")
struct MaintenanceWorkTests {
  private let folder: TemporaryFolder
  private let database: TachogramDatabase
  private let clock = ManualTimeSource(epoch: 1_767_225_600_000_000)

  init() throws {
    folder = try TemporaryFolder()
    database = try .open(path: folder.path("t.sqlite"))
  }

  private func work(_ flags: [String: String]) async throws -> MaintenanceWork {
    let station = try await QuietStation(database, clock, flags: flags)
    return MaintenanceWork(
      storage: station.storage, configuration: station.configuration, hub: station.hub, queue: QueryQueue(),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  /// Ten minutes of a beat a second.
  private func script() -> [StrapEvent] {
    let start = clock.now()
    let value = HeartRateMeasurementCodec.encode(
      HeartRateMeasurement(heartRate: 60, rrIntervals: RRIntervals([RRInterval(ticks: 1024)])))
    func event(_ second: Int64, _ content: StrapEvent.Content) -> StrapEvent {
      StrapEvent(
        strap: 0, monotonic: start.monotonic.advanced(byMicroseconds: second * 1_000_000),
        wall: start.wall.advanced(byMicroseconds: second * 1_000_000), content: content)
    }
    let address = BluetoothAddress(value: 0xC0FF_EE00_0001, kind: .random)
    return [
      event(0, .identified(StrapIdentity(address: address))),
      event(0, .linkUp(handle: 0x12, handleSource: .discovered, bootID: nil)),
    ] + (1...600).map { event($0, .notification(value)) }
  }

  private func record() async throws {
    _ = try await LiveRecorder(
      source: ScriptedSource(script()), options: LiveOptions(), time: clock, database: database, observe: { _ in }
    ).run()
  }

  private func windows() throws -> Int {
    var count = 0
    let always = WallTime(microseconds: .min)...WallTime(microseconds: .max)
    try WindowRepository(database: database, person: nil).forEachWindow(ofLength: 300, in: always) { _ in count += 1 }
    return count
  }

  /// Days of the last month of which something is known.
  private func days() throws -> Int {
    try TrendRepository(database: database, timeZone: .gmt)
      .points(of: nil, .month, last: LocalTime(of: clock.now().wall.date, in: .gmt).day).points.count
  }

  /// A station that was off when its database was imported has trends to compute of windows that are too old already.
  @Test func testOldWindows_GoIntoTheTrendsBeforeTheyAreDeleted() async throws {
    try await record()
    clock.advance(seconds: 3 * 86_400)
    let work = try await work(["retention.windows": "1d"])
    #expect(try windows() > 0)
    try await work.daily()
    #expect(try windows() == 0)
    try await work.refreshTrends()
    #expect(try days() == 1)
  }

  /// How many windows what is usual rests on, as the page shows it.
  private func usualWindows(_ work: MaintenanceWork) throws -> Int {
    try work.storage.usual.baselines(of: nil, in: database, timeZone: .gmt, at: clock.now().wall).windowCount
  }

  @Test(arguments: ["retention.sessions", "retention.windows"])
  func testWhatRetentionDeletes_IsNotUsualAnyMore(key: String) async throws {
    try await record()
    clock.advance(seconds: 3 * 86_400)
    let work = try await work([key: "1d"])
    try await work.prepare()
    #expect(try usualWindows(work) > 0)
    try await work.daily()
    #expect(try usualWindows(work) == 0)
  }

  /// As by a command beside the station.
  @Test func testSessionThatAnotherDeletes_IsNotUsualAnyMore() async throws {
    try await record()
    clock.advance(seconds: 3 * 86_400)
    let work = try await work([:])
    try await work.prepare()
    #expect(try usualWindows(work) > 0)
    #expect(try DeletionRepository(database: database).expire(before: clock.now().wall, except: []) == 1)
    #expect(try usualWindows(work) == 0)
  }

  @Test func testWithoutRetention_NothingIsDeleted() async throws {
    try await record()
    clock.advance(seconds: 3650 * 86_400)
    let before = try windows()
    try await work([:]).daily()
    #expect(try windows() == before)
  }

  @Test func testSoundDatabase_HasNoAlert() async throws {
    try await record()
    let work = try await work([:])
    try await work.check()
    #expect(work.storage.condition.now.damage == nil)
    try await work.copy()
    #expect(work.storage.condition.now.snapshotProblem == nil && work.storage.condition.now.lastSnapshot != nil)
  }

  /// A station that is started again and again does not copy its database each time, and one in which nothing is new not at
  /// all.
  @Test func testStartSoonAfterACopy_MakesNoOther() async throws {
    try await record()
    let work = try await work(["snapshots.every": "1h"])
    let recorder = LiveRecorder(
      source: ScriptedSource([]), options: LiveOptions(), time: clock, database: database, observe: { _ in })
    func start() -> Maintenance {
      Maintenance(
        work.storage, configuration: work.configuration, hub: work.hub, recorder: recorder, logger: work.logger)
    }
    await start().run()
    #expect(work.storage.snapshots.snapshots().count == 1)
    clock.advance(seconds: 1800)
    let second = start()
    await second.run()
    #expect(work.storage.snapshots.snapshots().count == 1)
    clock.advance(seconds: 1800)
    await second.run()
    #expect(work.storage.snapshots.snapshots().count == 1)
    try await record()
    clock.advance(seconds: 1800)
    await second.run()
    #expect(work.storage.snapshots.snapshots().count == 1)
    clock.advance(seconds: 1800)
    await second.run()
    #expect(work.storage.snapshots.snapshots().count == 2)
    await start().run()
    #expect(work.storage.snapshots.snapshots().count == 2)
  }

  /// The journal of a full disk has an end as well.
  @Test func testStorageThatWorksAgain_IsLogged() async throws {
    let disk = try FaultyDisk(folder: folder.path("."))
    let faulty = try TachogramDatabase.open(path: folder.path("faulty.sqlite"))
    let lines = Mutex<[String]>([])
    let logger = Logger(label: "test") { _ in
      JournalLog(level: .info, environment: ["JOURNAL_STREAM": "8:1"]) { line in lines.withLock { $0.append(line) } }
    }
    let work = try await work([:])
    disk.fail(.inputOutput, at: 1, times: .max)
    let recorder = LiveRecorder(
      source: ScriptedSource(script()), options: LiveOptions(), time: clock, database: faulty, observe: { _ in })
    _ = try? await recorder.run()
    let maintenance = Maintenance(
      work.storage, configuration: work.configuration, hub: work.hub, recorder: recorder, logger: logger)
    await maintenance.run()
    func count(_ text: String) -> Int { lines.withLock { $0.count { $0.contains(text) } } }
    #expect(count("notifications cannot be stored") == 1 && count("stored again") == 0)
    disk.mend()
    clock.advance(seconds: 60)
    await recorder.commit()
    await maintenance.run()
    await maintenance.run()
    #expect(count("notifications cannot be stored") == 1 && count("notifications are stored again") == 1)
  }

  /// Copies that were found sound stay as long as there is no new one, though they hold what was deleted.
  @Test func testDeletionFromADamagedDatabase_KeepsTheCopies() async throws {
    try await record()
    let work = try await work([:])
    for _ in 0..<3 {
      try await work.copy()
      clock.advance(seconds: 3600)
    }
    try await damage()
    let findings = (try? work.storage.snapshots.renew(database, at: clock.now().wall)) ?? ["it could not be read"]
    #expect(!findings.isEmpty)
    #expect(work.storage.snapshots.snapshots().count == 3)
    try? await work.renewCopies()
    #expect(work.storage.condition.now.hasStaleCopies && work.storage.snapshots.snapshots().count == 3)
  }

  /// Nobody has looked: what was found stays known.
  @Test func testDeletionWithoutCopies_LeavesTheAlert() async throws {
    try await record()
    let work = try await work([:])
    work.storage.condition.wasLookedAt("page 7")
    try await work.renewCopies()
    #expect(work.storage.condition.now.damage == "page 7")
    #expect(!work.storage.condition.now.hasStaleCopies && work.storage.condition.now.lastSnapshot == nil)
  }

  private func damage() async throws {
    try database.emptyLog()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: database.path))
    let size = try file.seekToEnd()
    // The pages in the middle hold the beats and the ledger.
    try file.seek(toOffset: size / 4)
    try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size / 2)))
    try file.close()
  }

  /// It is told with what to do, as soon as it is found, and nothing is put in its place.
  @Test func testDamagedDatabase_IsToldWithWhatToDo() async throws {
    try await record()
    let work = try await work([:])
    try await work.copy()
    try await damage()
    try await work.check()
    let damage = try #require(work.storage.condition.now.damage)
    #expect(damage.contains("tachogram restore --database \(database.path)"))
  }
}
