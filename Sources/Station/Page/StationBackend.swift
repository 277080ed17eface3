import Dashboard
import Exchange
import Foundation
import Presentation
import Recording
import Reports
import Repository
import Synchronization
import TachogramCore

/// Answers the requests of the page from the database and the live values of straps.
struct StationBackend: DashboardBackend {
  let facts: StationFacts
  let configuration: CurrentConfiguration
  let storage: StationStorage
  let hub: LiveHub
  let feed: EventFeed
  /// The recorder, or `nil` if nothing is recorded.
  let recorder: LiveRecorder?
  let pairing: (any PairingBackend)?
  let doctor: (any DoctorBackend)?
  let edits: any SessionEditBackend
  let nights: any NightBackend
  let readings: any ReadingBackend
  let stationGlances: StationGlances
  let snapshots: any SnapshotBackend
  let stationSettings: StationSettings
  /// Called after settings were changed.
  let reload: @Sendable () async -> Void
  /// What was found wrong when the station started, in words, or `nil`.
  var startProblem: String?
  /// Whether what is received is kept in memory, because nothing can be stored.
  var keepsInMemory = false
  /// Returns the results of maintenance.
  let watched: @Sendable () async -> Maintenance.Watched
  let queries = QueryQueue()
  /// The queue of requests that take longer, because they compute over years, read whole sessions or delete. Other requests do
  /// not wait for them.
  let longQueries = QueryQueue()
  /// The queue for pending trends, such as those after an import of years.
  let trendQueue = QueryQueue.background()

  private var database: TachogramDatabase { storage.database }
  private var time: any TimeSourceProtocol { storage.time }
  private var usual: BaselineCache { storage.usual }
  private var means: SessionMeans { storage.means }

  /// Stores received notifications with the rows derived from them.
  private func commit() async { await recorder?.commit() }

  // MARK: - Now

  func status() async throws -> API.Status {
    let watched = await watched()
    return API.Status(
      time: time.now().wall, version: facts.version, started: facts.started,
      source: facts.isReplay ? "capture" : "radio", isRecording: await recorder?.isRunning ?? false,
      problem: await problem(), isStorageFailing: await isStorageFailing,
      database: API.Status.Database(
        bytes: database.size, freeBytes: StorageFacts(database: database.path).freeBytes.map { Int64(clamping: $0) },
        isDiskLow: watched.isDiskLow, lastSnapshot: storage.condition.now.lastSnapshot),
      retention: RetentionWording.lines(configuration.value.retention),
      alerts: watched.alerts.map { API.Alert(kind: $0.kind.rawValue, text: $0.text, since: $0.since) })
  }

  func problem() async -> String? {
    await recorder?.storageFailure.map { "Notifications cannot be stored: \($0)" } ?? startProblem
  }

  /// Whether nothing can be stored now.
  private var isStorageFailing: Bool {
    get async { await recorder?.storageFailure != nil || keepsInMemory }
  }

  func live() async -> API.Live { hub.live() }

  var glances: any GlanceBackend { stationGlances }

  func metrics(mayIncludeHeart: Bool) async throws -> [Metric] {
    StationMetrics(
      facts: facts, live: hub.live(), feed: feed.counts, watched: await watched(),
      isStorageFailing: await isStorageFailing, lastSnapshot: storage.condition.now.lastSnapshot,
      databaseBytes: database.size, includesHeart: mayIncludeHeart && configuration.value.http.heartMetrics
    ).metrics
  }

  func diagnosis() async throws -> API.Diagnosis {
    let findings = await doctor?.findings().findings ?? []
    let diagnosis = StationDiagnosis(
      facts: facts, storage: storage, settings: stationSettings, watched: await watched(), live: hub.live(),
      isRecording: await recorder?.isRunning ?? false, isStorageFailing: await isStorageFailing,
      checks: findings.map { API.Diagnosis.Check(id: $0.id, severity: $0.severity) })
    return try await longQueries.run { diagnosis.collect() }
  }

  func authority() throws -> PageAuthority? {
    try StationCertificate.own(configuration.value, database: database.path)?.publicAuthority()
  }

  // MARK: - Straps

  func straps() async throws -> [API.Strap] {
    try await queries.run { [database] in try StrapRepository(database: database).straps().map(API.Strap.init) }
  }

  func change(strap address: BluetoothAddress, _ change: API.StrapChange) async throws -> API.Strap {
    let strap = try await queries.run { [database] in
      let repository = StrapRepository(database: database)
      let known = try Self.known(address, repository)
      if let name = change.name, name != known.name {
        do {
          try repository.rename(known, to: name)
        } catch RepositoryError.strapNameTaken {
          throw DashboardError(.conflict, "another strap is called \(name).")
        }
      }
      try repository.assign(known, person: change.person ?? known.person, label: change.label ?? known.label)
      return API.Strap(try Self.known(address, repository))
    }
    try await rename()
    return strap
  }

  func forget(strap address: BluetoothAddress) async throws {
    try await queries.run { [database] in
      let repository = StrapRepository(database: database)
      try repository.forget(try Self.known(address, repository))
    }
    try await rename()
  }

  private func rename() async throws {
    let straps = try await queries.run { [database] in try StrapRepository(database: database).straps() }
    hub.rename(StrapNames(known: straps))
  }

  private static func known(_ address: BluetoothAddress, _ repository: StrapRepository) throws -> KnownStrap {
    guard let strap = try repository.straps().first(where: { $0.address.matches(address) }) else {
      throw DashboardError.notFound("no strap \(address) was paired.")
    }
    return strap
  }

  // MARK: - Settings

  func settings() async throws -> [API.Setting] { try stationSettings.list() }

  func change(settings: [String: String?]) async throws {
    try stationSettings.change(settings)
    await reload()
  }

  // MARK: - Sessions

  func persons() async throws -> [String] {
    try await queries.run { [database] in try HistoryRepository(database: database).persons() }
  }

  func sessions(_ question: SessionQuery) async throws -> API.Sessions {
    var place: HistoryRepository.Cursor?
    if let cursor = question.cursor {
      place = HistoryRepository.Cursor(text: cursor)
      guard place != nil else { throw DashboardError(.badRequest, "cursor is `next` of the page before.") }
    }
    let (from, to) = (question.from ?? WallTime(microseconds: .min), question.to ?? WallTime(microseconds: .max))
    guard from <= to else { throw DashboardError(.badRequest, "from is after to.") }
    let running = hub.running
    if !running.isEmpty { await commit() }
    return try await queries.run { [database, place, means] in
      let page = try HistoryRepository(database: database, means: means)
        .sessions(of: question.person, in: from...to, limit: question.limit, after: place)
      let names = Self.names(try StrapRepository(database: database).straps())
      return API.Sessions(sessions: page.sessions.map { names.session($0, running) }, next: page.next?.text)
    }
  }

  func session(_ id: String) async throws -> API.Session {
    let running = hub.running
    return try await find(id) { [means] database in
      let names = Self.names(try StrapRepository(database: database).straps())
      return names.session(try HistoryRepository(database: database, means: means).session(id), running)
    }
  }

  func beats(of id: String, points: Int) async throws -> API.Beats {
    try await series(id) { try $0.beats(points: points) }
  }

  func poincare(of id: String) async throws -> API.Poincare {
    try await series(id) { try $0.poincare() }
  }

  func windows(of id: String, length: WindowLength) async throws -> API.Windows {
    try await find(id) { database in
      let history = HistoryRepository(database: database)
      let session = try history.session(id).record.description
      let windows = try history.windows(of: id, length: length).map { API.Window($0, end: session.wall($0.end)) }
      return API.Windows(length: length.seconds, windows: windows)
    }
  }

  func stress(of id: String) async throws -> API.StressSeries {
    try await find(id) { database in API.StressSeries(try SessionRepository(database: database).stress(of: id)) }
  }

  var exportFormats: [ExportFormat] { SessionFormats.all.map(\.format) }

  func checkExport(_ id: String, _ format: ExportFormat) async throws {
    try await find(id) { database in
      let session = StoredSession(
        record: try HistoryRepository(database: database).session(id).record,
        repository: SessionRepository(database: database))
      if let refusal = SessionExporter(session: session).refusal(of: format) {
        throw DashboardError(.conflict, refusal)
      }
    }
  }

  func export(_ id: String, _ format: ExportFormat, to write: ([UInt8]) throws -> Void) throws {
    let session = try StoredSession(SessionRepository(database: database).session(matching: id), in: database)
    try withoutActuallyEscaping(write) { write in
      let sink = ChunkSink(write)
      try SessionExporter(session: session).write(format, to: sink)
      try sink.finish()
    }
  }

  private func rangeExport(_ selection: ExportQuery) -> RangeExport {
    RangeExport(person: selection.person, range: selection.range, in: database)
  }

  func checkExport(_ selection: ExportQuery) async throws {
    if !hub.running.isEmpty { await commit() }
    let export = rangeExport(selection)
    if try await queries.run({ try export.isEmpty() }) {
      throw DashboardError.notFound("no session began in this time.")
    }
  }

  func export(_ selection: ExportQuery, to write: ([UInt8]) throws -> Void) throws {
    try withoutActuallyEscaping(write) { write in
      let sink = ChunkSink(write)
      try rangeExport(selection).write(selection.format, to: sink)
      try sink.finish()
    }
  }

  private func series<Body: Sendable>(
    _ id: String, _ body: @escaping @Sendable (SessionSeries) throws -> Body
  ) async throws -> Body {
    try await find(id, on: longQueries) { database in
      let record = try HistoryRepository(database: database).session(id).record
      return try body(SessionSeries(record: record, repository: SessionRepository(database: database)))
    }
  }

  private func find<Body: Sendable>(
    _ id: String, on queue: QueryQueue? = nil,
    _ body: @escaping @Sendable (TachogramDatabase) throws -> Body
  ) async throws -> Body {
    // Running sessions are stored with a delay, to spare the disk, unless they are requested.
    if hub.running.contains(id) { await commit() }
    return try await (queue ?? queries).run { [database] in
      do {
        return try body(database)
      } catch RepositoryError.sessionNotFound {
        throw DashboardError.notFound("there is no session \(id).")
      }
    }
  }

  private static func names(_ known: [KnownStrap]) -> SessionNames {
    SessionNames(names: StrapNames(known: known))
  }

  // MARK: - Deleting

  func previewDeletion(_ selection: SessionSelection, _ category: DataCategory) async throws -> API.DeletionCounts {
    let running = hub.running
    return try await deletion(selection, category) { repository, selection in
      var ended = selection
      ended.excluding = running
      return try repository.preview(ended, category)
    }
  }

  func delete(_ selection: SessionSelection, _ category: DataCategory) async throws -> API.DeletionCounts {
    try await queries.run { [database] in try database.checkWritable() }
    // Also after an error: the rows may be deleted although the log is not truncated, which is tried again with the snapshots.
    defer {
      usual.forget()
      means.forget()
      stationGlances.histories.forget()
      storage.condition.deletionCame()
    }
    let now = time.now().wall
    // Hours that are computed after their windows were deleted would count as empty.
    if category == .windows { try await refreshTrends(configuration.value.timeZone) }
    var counts = try await deletion(selection, category) {
      [database, hub, snapshots = storage.snapshots, configuration] repository, selection in
      var ended = selection
      ended.excluding = hub.running
      if category == .sessions {
        try snapshots.addBeforeDeletion(
          try repository.preview(ended), from: database, at: now, reserve: configuration.value.lowDisk)
      }
      snapshots.markStale()
      return try snapshots.makingRoom(at: now) { try repository.delete(selection, category) { hub.running } }
    }
    counts.remaining = try await longQueries.run { [database] in
      ReplacedDeletion(database: database.path).delete(selection, category).map { "\($0.path): \($0.error)" }
    }
    return counts
  }

  /// Calls `body` with the selected sessions that are not being recorded, and counts the others.
  private func deletion(
    _ selection: SessionSelection, _ category: DataCategory,
    _ body: @escaping @Sendable (DeletionRepository, SessionSelection) throws -> SessionContents,
  ) async throws -> API.DeletionCounts {
    try await longQueries.run { [database] in
      let repository = DeletionRepository(database: database)
      let all = try repository.preview(selection, category)
      let contents = try body(repository, selection)
      return API.DeletionCounts(contents, running: all.sessions - contents.sessions)
    }
  }

  func syncState() async throws -> API.SyncState {
    let now = time.now().wall
    return try await longQueries.run { [database, configuration] in
      try StationSync(database, kind: configuration.value.session.hrv).pageState(at: now)
    }
  }

  // MARK: - Over time

  func baseline(of person: String?) async throws -> String {
    let (zone, now) = (configuration.value.timeZone, time.now().wall)
    return try await longQueries.run { [database, usual] in
      let baselines = try usual.baselines(of: person, in: database, timeZone: zone, at: now)
      return try JSONOutput(isPretty: false).text(BaselineReport(baselines))
    }
  }

  func trends(_ question: TrendQuery) async throws -> API.Trends {
    let (zone, now) = (configuration.value.timeZone, time.now().wall)
    try await refreshTrends(zone)
    return try await longQueries.run { [database, usual] in
      let repository = TrendRepository(database: database, timeZone: zone)
      let last = question.end ?? LocalTime(of: now.date, in: zone).day
      let (range, points) = try repository.points(of: question.person, question.period, last: last)
      let bands = API.Band.bands(
        try usual.baselines(of: question.person, in: database, timeZone: zone, at: now))
      return API.Trends(
        period: question.period, start: range.lowerBound, end: range.upperBound, points: points,
        usual: bands.isEmpty ? nil : bands)
    }
  }

  /// Updates trends in slices: years may be pending, as after an import, and other requests do not wait for all of them.
  private func refreshTrends(_ zone: TimeZone) async throws {
    if !database.isWritable { return }
    var next: TrendPass? = TrendRepository(database: database, timeZone: zone).pass()
    while let pass = next {
      next = try await trendQueue.run {
        var pass = pass
        return try pass.advance() ? pass : nil
      }
    }
  }
}
