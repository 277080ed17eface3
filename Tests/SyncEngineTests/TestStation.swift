import FoundationEssentials
import Pipeline
import Repository
import StressKit
import Sync
import SyncEngine
import TachogramCore
import TachogramTestKit

/// A station with a database in memory and keys in a folder of its own.
final class TestStation {
  /// 2026-03-29 00:00 UTC.
  static let start = WallTime(microseconds: 1_774_742_400_000_000)

  let database: TachogramDatabase
  let keyFile: StationKeyFile
  let name: String
  private let folder: TemporaryFolder
  /// The loaded state, or `nil` before the station is a member, and after a restart.
  private var state: SpaceState?
  /// How far the clock of the station is ahead. The triggers of the database use the clock of the system.
  var clockOffset: Duration = .zero
  var isClockSynchronised = true
  var now: WallTime { WallTime(Date()).advanced(by: clockOffset) }

  init(_ name: String, database: TachogramDatabase? = nil) throws {
    self.name = name
    self.database = try database ?? TachogramDatabase.inMemory()
    folder = try TemporaryFolder()
    keyFile = StationKeyFile(path: folder.path("station.key"))
  }

  var setup: SyncSetup { SyncSetup(database: database, keyFile: keyFile) }
  var sessions: SessionRepository { SessionRepository(database: database) }
  var annotations: AnnotationRepository { AnnotationRepository(database: database) }

  /// Forgets what is in memory, as a process that ends.
  func restart() { state = nil }

  func loaded() throws -> SpaceState {
    if let state { return state }
    let new = try SpaceState(
      database, keyFile: keyFile, kind: .sdnn, now: now, isClockSynchronised: isClockSynchronised)
    state = new
    return new
  }

  /// Synchronises once.
  @discardableResult
  func sync(
    _ store: any SyncStoreProtocol, isFirst: Bool = true, rhythm: SpaceState.Rhythm = SpaceState.Rhythm()
  ) async throws -> SpaceState.Pass {
    var state = try loaded()
    self.state = nil
    let pass = try await state.pass(
      with: store, keyFile: keyFile, at: now, isFirst: isFirst, isClockSynchronised: isClockSynchronised,
      rhythm: rhythm)
    self.state = state
    return pass
  }

  /// Changes the loaded state.
  func change<Value>(_ body: (inout SpaceState) async throws -> Value) async throws -> Value {
    var state = try loaded()
    self.state = nil
    let value = try await body(&state)
    self.state = state
    return value
  }

  // MARK: - Recording

  /// Records a session of a strap, one notification a second. Returns its identifier.
  @discardableResult
  func record(
    seconds: Int = 900, person: String? = "anna", label: String? = nil, after: Duration = .zero, seed: UInt64 = 1,
    isOver: Bool = true
  ) throws -> String {
    let start = Self.start.advanced(by: after)
    let session = SessionDescription(
      id: UUID().uuidString.lowercased(),
      strap: StrapIdentity(
        address: BluetoothAddress(value: 0xC8DE_ADBE_EF01, kind: .random), characteristics: [0x2A00: Array("H10".utf8)]),
      origin: .live, person: person, label: label, deviceID: name, start: start,
      monotonicStart: MonotonicTime(microseconds: 77_000_000))
    try append(session, from: 0, count: seconds, seed: seed, isOver: isOver)
    return session.id
  }

  /// Records more of a session.
  func append(_ session: SessionDescription, from first: Int, count: Int, seed: UInt64 = 1, isOver: Bool) throws {
    var deriver = SessionDeriver(
      session, baseline: .default(kind: .sdnn, lastUpdated: Date(timeIntervalSince1970: 0)))
    var entries: [LedgerEntry] = []
    var random = SplitMix64(seed: seed)
    for second in 0..<(first + count) {
      let interval = UInt16(900 + random.next() % 100)
      let monotonic = session.monotonicStart.advanced(byMicroseconds: Int64(second) * 1_000_000)
      entries.append(
        LedgerEntry(
          sequence: Int64(second), link: 0, monotonic: monotonic, wall: session.wall(monotonic),
          content: .notification([0x16, 64, UInt8(interval & 0xFF), UInt8(interval >> 8)])))
    }
    if first == 0 { try sessions.begin(session) }
    deriver.ingest(entries)
    if isOver { deriver.finish() }
    var batch = deriver.drainRows()
    batch.links = first == 0 ? [StrapLink(number: 0, bootID: "4c1b", handle: 16, handleSource: .discovered)] : []
    batch.entries = Array(entries.dropFirst(first))
    if first > 0 {
      var rows = batch
      rows.entries = []
      var heard = SessionBatch()
      heard.entries = batch.entries
      try sessions.append(heard, to: session.id)
      try sessions.derive(rows, of: session.id, isOver: isOver)
    } else {
      try sessions.append(batch, to: session.id)
      if isOver { try sessions.finish(session.id) }
    }
  }

  // MARK: - Comparing

  /// All rows of a session that another station must have as well.
  func rows(of id: String) throws -> StoredRows {
    let record = try sessions.session(matching: id)
    var rows = SessionBatch()
    rows.links = try sessions.links(of: id)
    try sessions.forEachEntry(of: id) { rows.entries += $0 }
    try sessions.forEachBeat(of: id) { rows.beats += $0 }
    rows.gaps = try sessions.gaps(of: id)
    rows.artifacts = try sessions.artifacts(of: id)
    rows.windows = try sessions.windows(of: id)
    rows.stress = try sessions.stress(of: id).map { level in
      var level = level
      level.isSynced = false
      return level
    }
    rows.movement = try SleepRepository(database: database).movement(of: id)
    return StoredRows(
      record: record, rows: rows, markers: try sessions.markers(of: id),
      night: try SleepRepository(database: database).night(of: id))
  }

  struct StoredRows: Hashable {
    let record: SessionRecord
    let rows: SessionBatch
    let markers: [SessionMarker]
    let night: SleepSession?
  }
}
