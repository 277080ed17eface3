import Dashboard
import FoundationEssentials
import StressKit
import Synchronization
import TachogramCore

/// A simulated station, for developing and testing its page. Its data is deterministic except for the clock.
package final class MockStation: DashboardBackend {
  private struct State {
    var mode: MockMode
    var straps: [MockStrap]
    var heard: WallTime
  }

  package let feed: EventFeed
  private let time: any TimeSourceProtocol
  private let started: WallTime
  private let stored: [MockSession]
  private let madeUpPairing = FakePairing()
  private let madeUpSettings = FakeSettings()
  private let madeUpEdits: FakeSessionEdits
  private let madeUpReadings: FakeReadings
  private let madeUpNights: FakeNights
  private let madeUpSnapshots = FakeSnapshots()
  private let state: Mutex<State>

  package init(_ mode: MockMode = .normal, time: any TimeSourceProtocol) {
    let now = time.now().wall
    let straps = MockStrap.pair(at: now)
    feed = EventFeed(started: now)
    self.time = time
    started = now.advanced(byMicroseconds: -260_000_000_000)
    let stored = MockSession.all(of: straps, at: now)
    self.stored = stored
    madeUpEdits = FakeSessionEdits(find: { id in try Self.find(id, in: stored).summary })
    // The running session comes last, so that it is no night yet.
    let sessions = (stored.dropFirst() + stored.prefix(1)).map {
      FakeNights.Session(id: $0.id, person: $0.person, start: $0.start)
    }
    madeUpNights = FakeNights(count: 24, persons: ["Anna", nil], sessions: sessions) { [time] in time.now().wall }
    madeUpReadings = FakeReadings(mornings: 24, persons: ["Anna", nil]) { [time] in time.now().wall }
    state = Mutex(State(mode: mode, straps: straps, heard: now))
  }

  package var mode: MockMode {
    get { state.withLock { $0.mode } }
    set { state.withLock { $0.mode = newValue } }
  }

  private var now: WallTime { time.now().wall }
  private var isEmpty: Bool { mode == .empty }

  // MARK: - Live

  /// Publishes the events since the last call, as a station does each second.
  package func publish() {
    let mode = mode
    guard mode != .silent, mode != .empty else { return }
    for reading in readings(mode, all: false) { feed.publish(.reading(reading)) }
    feed.publish(.status(currentStatus))
  }

  /// Returns the readings with their last 120 beats, or with those since the last call.
  private func readings(_ mode: MockMode, all: Bool) -> [API.Reading] {
    let now = now
    return state.withLock { state in
      if mode == .empty { return [] }
      let before = state.straps.map(\.beatCount)
      if mode != .stale {
        state.heard = now
        for index in state.straps.indices { state.straps[index].advance(to: now) }
      }
      return state.straps.prefix(mode == .single ? 1 : 2).enumerated().map { index, strap in
        let reading = strap.reading(
          beatsFrom: all ? max(0, strap.beatCount - 120) : before[index], isCurrent: mode != .stale, heard: state.heard)
        return mode == .unrecorded ? reading.unrecorded(isAverage: index == 1) : reading
      }
    }
  }

  package func live() async -> API.Live {
    API.Live(time: now, readings: readings(mode, all: true))
  }

  private var currentStatus: API.Status {
    let now = now
    let alert = API.Alert(
      kind: "batteryLow", text: "The battery of Garmin HRM-Dual in the cellar is at 18 %.",
      since: now.advanced(byMicroseconds: -4_000_000_000))
    return API.Status(
      time: now, version: "0.2.0", started: started, source: "radio", isRecording: true, problem: nil,
      database: API.Status.Database(
        bytes: 48_300_000, freeBytes: 21_400_000_000, isDiskLow: false,
        lastSnapshot: now.advanced(byMicroseconds: -1_500_000_000)),
      retention: [
        "Notifications, beats and sessions are kept forever.", "Windows are kept for 400 days.",
        "Hourly and daily trends are kept forever.",
      ], alerts: isEmpty ? [] : [alert])
  }

  package func status() async throws -> API.Status { currentStatus }

  package func problem() async -> String? { nil }

  package func metrics(mayIncludeHeart: Bool) async throws -> [Metric] { [] }

  package var glances: any GlanceBackend {
    FakeGlances { [self] in FakeGlances.day(until: now, isCurrent: mode == .normal || mode == .single) }
  }

  // MARK: - Straps and people

  private var known: [KnownStrap] { isEmpty ? [] : state.withLock { $0.straps.map(\.known) } }

  package func straps() async throws -> [API.Strap] { known.map(API.Strap.init) }

  /// Returns the strap unchanged.
  package func change(strap: BluetoothAddress, _ change: API.StrapChange) async throws -> API.Strap {
    guard let found = known.first(where: { $0.address.matches(strap) }) else {
      throw DashboardError.notFound("there is no strap \(strap).")
    }
    return API.Strap(found)
  }

  package func settings() async throws -> [API.Setting] { madeUpSettings.list() }

  package func change(settings: [String: String?]) async throws { try madeUpSettings.change(settings) }

  package var edits: any SessionEditBackend { madeUpEdits }
  package var snapshots: any SnapshotBackend { madeUpSnapshots }
  package var nights: any NightBackend {
    MockNights(nights: madeUpNights) { self.isEmpty }
  }
  package var readings: any ReadingBackend { madeUpReadings }
  package var doctor: (any DoctorBackend)? { FakeDoctor() }

  package func syncState() async throws -> API.SyncState { isEmpty ? .none : FakeSync.state }

  package var pairing: (any PairingBackend)? { madeUpPairing }

  package func forget(strap: BluetoothAddress) async throws {}

  package func persons() async throws -> [String] { isEmpty ? [] : ["Anna", "Bert"] }

  // MARK: - Sessions

  private var all: [MockSession] { isEmpty ? [] : stored }

  private func find(_ id: String) throws -> MockSession { try Self.find(id, in: all) }

  private static func find(_ id: String, in sessions: [MockSession]) throws -> MockSession {
    guard let session = sessions.first(where: { $0.id == id }) else {
      throw DashboardError.notFound("there is no session \(id).")
    }
    return session
  }

  package func sessions(_ question: SessionQuery) async throws -> API.Sessions {
    let chosen = all.filter { session in
      (question.person ?? session.person) == session.person && session.start <= question.to ?? session.start
    }
    let first = min(question.cursor.flatMap { Int($0) } ?? 0, chosen.count)
    let page = chosen[first...].prefix(question.limit)
    return API.Sessions(
      sessions: page.map { madeUpEdits.edited($0.summary) },
      next: page.endIndex < chosen.count ? String(page.endIndex) : nil)
  }

  package func session(_ id: String) async throws -> API.Session { madeUpEdits.edited(try find(id).summary) }

  package func beats(of session: String, points: Int) async throws -> API.Beats {
    let session = try find(session)
    let (beats, gaps) = session.beats()
    let origin = MonotonicTime(microseconds: 0)
    var answer = API.Beats(start: session.start, origin: origin, gaps: gaps)
    for beat in beats {
      answer.append(beat, origin: origin)
      if session.isEctopic(Int(beat.sequence)) { answer.append(BeatClass.ectopic, of: beat, origin: origin) }
    }
    answer.total = beats.count
    return answer
  }

  package func poincare(of session: String) async throws -> API.Poincare {
    let intervals = try find(session).beats().beats.map(\.rr.milliseconds)
    var answer = API.Poincare()
    for (first, second) in zip(intervals, intervals.dropFirst()).prefix(3000) { answer.append(first, second) }
    answer.total = max(0, intervals.count - 1)
    (answer.sd1, answer.sd2) = (27.4, 61.8)
    return answer
  }

  package func windows(of session: String, length: WindowLength) async throws -> API.Windows {
    API.Windows(
      length: length.seconds,
      windows: try find(session).windows(length).map { API.Window($0.window, end: $0.end) })
  }

  package func stress(of session: String) async throws -> API.StressSeries {
    API.StressSeries(
      try find(session).windows(.fiveMinutes).compactMap { window, end in
        guard let sdnn = window.metrics.values.sdnn, let rate = window.metrics.values.meanHeartRate else { return nil }
        let level = MockHeart.stressLevel(sdnn: sdnn * 0.75, heartRate: rate)
        return StressMeasurement(
          id: UUID(), timestamp: end.date, stressLevel: level, category: StressCategory(level: level),
          confidence: 0.96, hrv: sdnn, heartRate: rate, restingHeartRate: 60, deviceID: "mock", modified: end.date)
      })
  }

  package var exportFormats: [ExportFormat] {
    [
      ExportFormat(name: "csv", title: "CSV", words: "beats and gaps", mediaType: "text/csv; charset=utf-8"),
      ExportFormat(name: "json", title: "JSON", words: "everything", mediaType: "application/json; charset=utf-8"),
      ExportFormat(
        name: "fit", title: "FIT", words: "as sports watches record", mediaType: "application/octet-stream",
        isBinary: true),
    ]
  }

  package func checkExport(_ session: String, _ format: ExportFormat) async throws { _ = try find(session) }

  package func export(_ session: String, _ format: ExportFormat, to write: ([UInt8]) throws -> Void) throws {
    try write(Array("time,rr\n".utf8))
  }

  package func authority() throws -> PageAuthority? {
    PageAuthority(pem: Array("-----BEGIN CERTIFICATE-----\n".utf8), fingerprint: "AA:BB:CC")
  }

  package func diagnosis() async throws -> API.Diagnosis { .fake }

  package func checkExport(_ selection: ExportQuery) async throws {}

  package func export(_ selection: ExportQuery, to write: ([UInt8]) throws -> Void) throws {
    try write(Array("zip".utf8))
  }

  package func previewDeletion(
    _ selection: SessionSelection, _ category: DataCategory
  ) async throws -> API.DeletionCounts {
    let chosen = all.filter { session in
      (selection.session ?? session.id) == session.id && (selection.person ?? session.person) == session.person
        && (selection.strap ?? session.strap.address) == session.strap.address
        && selection.range?.contains(session.start) != false
    }
    var contents = SessionContents()
    for each in chosen.filter({ !$0.isRunning }).map(\.contents) {
      contents.sessions += each.sessions
      contents.notifications += each.notifications
      contents.beats += each.beats
      contents.stress += each.stress
      (contents.first, contents.last) = (each.first, contents.last ?? each.last)
    }
    return API.DeletionCounts(contents, running: Int64(chosen.count { $0.isRunning }))
  }

  /// Returns the same counts as `previewDeletion`, and deletes nothing.
  package func delete(
    _ selection: SessionSelection, _ category: DataCategory
  ) async throws -> API.DeletionCounts {
    try await previewDeletion(selection, category)
  }

  // MARK: - Over time

  package func baseline(of person: String?) async throws -> String { MockHistory.baseline(of: person) }

  package func trends(_ question: TrendQuery) async throws -> API.Trends {
    MockHistory.trends(question, now: now, isEmpty: isEmpty)
  }
}
