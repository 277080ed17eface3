import Dashboard
import Foundation
import Repository
import StressKit
import Synchronization
import TachogramCore
import TachogramTestKit
import Testing

@testable import Station

@Suite("Snapshots on the page")
struct StationSnapshotsTests {
  private let folder: TemporaryFolder
  private let database: TachogramDatabase
  private let clock = ManualTimeSource()
  private let restarts = Counter()
  private var snapshots: SnapshotFolder { SnapshotFolder(nil, database: database.path) }

  /// A snapshot of one session, and another session that it lacks.
  init() throws {
    folder = try TemporaryFolder()
    database = try TachogramDatabase.open(path: folder.path("t.sqlite"))
    try begin(1)
    #expect(try snapshots.add(database, at: clock.now().wall, keep: 2) == [])
    try begin(2)
  }

  private func begin(_ number: Int) throws {
    let session = SessionDescription(
      id: "0000000\(number)-aaaa-8bbb-9ccc-ddddeeeeffff",
      strap: StrapIdentity(address: BluetoothAddress(value: 0xC8DE_ADBE_EF17, kind: .random)), origin: .live,
      start: clock.now().wall, monotonicStart: clock.now().monotonic)
    try SessionRepository(database: database).begin(session)
  }

  private var backend: StationSnapshots {
    let storage = StationStorage(database: database, snapshots: snapshots, time: clock)
    return StationSnapshots(storage: storage, kind: .rmssd, lastResult: nil) { [restarts] in restarts.add() }
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
  }

  @Test func testPreview_TellsWhatWouldBeMissing() async throws {
    let found = try await backend.snapshots()
    #expect(found.snapshots.count == 1 && found.lastResult == nil)
    let preview = try await backend.preview(snapshot: found.snapshots[0].id)
    #expect(preview.problem == nil && preview.sessions == 1 && preview.missing == 1)
    #expect(preview.firstMissing == Timestamp.text(clock.now().wall))
    #expect(restarts.value == 0)
  }

  @Test func testRestore_IsRequestedBeforeTheRestart() async throws {
    let snapshot = try #require(snapshots.snapshots().first)
    try await backend.restore(snapshot: try await backend.snapshots().snapshots[0].id)
    #expect(try RestoreRequest(database: database.path).read() == snapshot.path)
    #expect(restarts.value == 1)
    try RestoreRequest(database: database.path).remove()
    #expect(try RestoreRequest(database: database.path).read() == nil)
  }

  @Test func testSessionsOfAReplacedDatabase_AreCopied() async throws {
    let name = "t.sqlite.replaced-20260101T000000.000Z"
    let other = try TachogramDatabase.open(path: folder.path(name))
    let capture = CaptureBuilder.entries(SimulatedStrap().notifications())
    let session = CaptureBuilder.session(capture, strap: CaptureBuilder.strap())
    var batch = SessionBatch()
    batch.links = [StrapLink(number: 0, bootID: nil, handle: 0x10, handleSource: .discovered)]
    batch.entries = capture
    try SessionRepository(database: other).begin(session, with: batch)
    try other.close()
    #expect(try await backend.snapshots().replaced.map(\.id) == [name])
    let preview = try await backend.preview(replaced: name)
    #expect(preview.problem == nil && preview.missing == 1 && preview.overlapping == 0)
    #expect(preview.firstMissing == Timestamp.text(session.start))
    #expect(try await backend.copySessions(ofReplaced: name) == API.CopiedSessions(copied: 1, problem: nil))
    #expect(try await backend.preview(replaced: name).missing == 0)
    #expect(try SessionRepository(database: database).session(matching: session.id).entryCount == Int64(capture.count))
    try Data(repeating: 0xA5, count: 40_960).write(to: URL(fileURLWithPath: folder.path(name)))
    #expect(try await backend.preview(replaced: name).problem != nil)
    #expect(try await backend.copySessions(ofReplaced: name).problem != nil)
    let missing = await #expect(throws: DashboardError.self) { _ = try await backend.preview(replaced: "t.sqlite") }
    #expect(missing?.kind == .notFound)
  }

  @Test func testDamagedOrUnknownSnapshot_IsNotRestored() async throws {
    let snapshot = try #require(snapshots.snapshots().first)
    try Data(repeating: 0xA5, count: 40_960).write(to: URL(fileURLWithPath: snapshot.path))
    let id = try await backend.snapshots().snapshots[0].id
    #expect(try await backend.preview(snapshot: id).problem != nil)
    let refusal = await #expect(throws: DashboardError.self) { try await backend.restore(snapshot: id) }
    #expect(refusal?.kind == .conflict)
    for name in ["none", "t.sqlite", "..", ""] {
      let missing = await #expect(throws: DashboardError.self) { try await backend.restore(snapshot: name) }
      #expect(missing?.kind == .notFound)
    }
    #expect(restarts.value == 0)
    #expect(try RestoreRequest(database: database.path).read() == nil)
  }
}
