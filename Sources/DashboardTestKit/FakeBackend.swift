import Dashboard
import Synchronization
import TachogramCore

/// A backend with fixed answers that records the calls it receives.
package final class FakeBackend: DashboardBackend {
  package struct Failure: Error {}

  package let asked = Mutex<[String]>([])
  package let problemText = Mutex<String?>(nil)
  package let fakePairing = FakePairing()
  package let fakeSettings = FakeSettings()
  private let fakeReadings = FakeReadings()
  private let fakeNights = FakeNights(count: 2)
  private let fakeSnapshots = FakeSnapshots()
  package let fails: Bool
  /// What glances show.
  package let glanceContent = Mutex(FakeGlances.day(until: WallTime(microseconds: 86_400_000_000), isCurrent: true))
  /// The readings of straps.
  package let readingList = Mutex<[API.Reading]>([])
  package let doctor: (any DoctorBackend)?

  package init(fails: Bool = false, doctor: (any DoctorBackend)? = FakeDoctor()) {
    self.fails = fails
    self.doctor = doctor
  }

  package static let session = "00000000-aaaa-8bbb-9ccc-ddddeeeeffff"
  package static let strap = KnownStrap(
    address: BluetoothAddress(value: 0xC8DE_ADBE_EF01, kind: .random), name: "H10", added: WallTime(microseconds: 0))

  private func note(_ text: String) throws {
    asked.withLock { $0.append(text) }
    if fails { throw Failure() }
  }

  private func known(_ id: String, _ what: String) throws {
    try note(what)
    guard id == Self.session else { throw DashboardError.notFound("there is no session \(id).") }
  }

  package func syncState() async throws -> API.SyncState {
    try note("sync")
    return FakeSync.state
  }

  package func status() async throws -> API.Status {
    try note("status")
    return API.Status(
      time: WallTime(microseconds: 0), version: "1", started: WallTime(microseconds: 0), source: "radio",
      isRecording: true, problem: nil,
      database: API.Status.Database(bytes: 1, freeBytes: 2, isDiskLow: false, lastSnapshot: nil), retention: [],
      alerts: [])
  }

  package func problem() async -> String? { problemText.withLock { $0 } }

  package func live() async -> API.Live {
    try? note("live")
    return API.Live(time: WallTime(microseconds: 0), readings: readingList.withLock { $0 })
  }

  package func metrics(mayIncludeHeart: Bool) async throws -> [Metric] {
    try note("metrics")
    let up = Metric("up", .gauge, "Up.", [Metric.Sample(1)])
    return mayIncludeHeart ? [up, Metric("heart", .gauge, "A heart value.", [Metric.Sample(61)])] : [up]
  }

  package var glances: any GlanceBackend {
    FakeGlances { [self] in glanceContent.withLock { $0 } }
  }

  package func straps() async throws -> [API.Strap] {
    try note("straps")
    return [API.Strap(Self.strap)]
  }

  package func change(strap: BluetoothAddress, _ change: API.StrapChange) async throws -> API.Strap {
    try note("change \(strap) \(change.name ?? "-") \(change.person.map { $0 ?? "nobody" } ?? "-")")
    return API.Strap(Self.strap)
  }

  package func settings() async throws -> [API.Setting] {
    try note("settings")
    return fakeSettings.list()
  }

  package func change(settings: [String: String?]) async throws {
    try note("change settings")
    try fakeSettings.change(settings)
  }

  package var pairing: (any PairingBackend)? { fakePairing }
  package var snapshots: any SnapshotBackend { fakeSnapshots }
  package var nights: any NightBackend { fakeNights }
  package var readings: any ReadingBackend { fakeReadings }
  package var edits: any SessionEditBackend {
    FakeSessionEdits(find: { [self] in try await session($0) }, note: { [self] in try note($0) })
  }

  package func forget(strap: BluetoothAddress) async throws { try note("forget \(strap)") }

  package func persons() async throws -> [String] {
    try note("persons")
    return ["Anna"]
  }

  package func sessions(_ question: SessionQuery) async throws -> API.Sessions {
    try note("sessions \(question.person ?? "-") \(question.limit) \(question.from.map(Timestamp.text) ?? "-")")
    return API.Sessions(sessions: [], next: nil)
  }

  package func session(_ id: String) async throws -> API.Session {
    try known(id, "session")
    let description = SessionDescription(
      id: id, strap: StrapIdentity(address: Self.strap.address), origin: .live, start: WallTime(microseconds: 0),
      monotonicStart: MonotonicTime(microseconds: 0))
    let record = SessionRecord(
      description: description, end: WallTime(microseconds: 1), isComplete: true, entryCount: 1, beatCount: 1,
      gapCount: 0)
    return API.Session(SessionSummary(record: record, means: SessionSummary.Means()), name: "H10", isRunning: false)
  }

  package func beats(of session: String, points: Int) async throws -> API.Beats {
    try known(session, "beats \(points)")
    return API.Beats(start: WallTime(microseconds: 0), origin: MonotonicTime(microseconds: 0), gaps: [])
  }

  package func poincare(of session: String) async throws -> API.Poincare {
    try known(session, "poincare")
    return API.Poincare()
  }

  package func windows(of session: String, length: WindowLength) async throws -> API.Windows {
    try known(session, "windows")
    return API.Windows(length: length.seconds, windows: [])
  }

  package func stress(of session: String) async throws -> API.StressSeries {
    try known(session, "stress")
    return API.StressSeries([])
  }

  package var exportFormats: [ExportFormat] {
    ["csv", "json", "rr", "btsnoop", "kubios", "fit", "fhir"].map {
      ExportFormat(
        name: $0, title: $0.uppercased(), words: $0, fileExtension: Self.extensions[$0],
        mediaType: Self.mediaTypes[$0] ?? "text/plain; charset=utf-8")
    }
  }

  private static let extensions = ["rr": "rr.txt", "kubios": "kubios.txt", "fhir": "fhir.json"]
  private static let mediaTypes = [
    "csv": "text/csv; charset=utf-8", "json": "application/json; charset=utf-8",
    "btsnoop": "application/octet-stream", "fit": "application/octet-stream",
    "fhir": "application/fhir+json; charset=utf-8",
  ]

  package func checkExport(_ session: String, _ format: ExportFormat) async throws {
    try known(session, "checkExport")
  }

  package func export(_ session: String, _ format: ExportFormat, to write: ([UInt8]) throws -> Void) throws {
    try note("export")
    for piece in 0..<20 { try write(Array("\(format.name) \(piece)\n".utf8)) }
  }

  package func authority() throws -> PageAuthority? {
    PageAuthority(pem: Array("-----BEGIN CERTIFICATE-----\n".utf8), fingerprint: "AA:BB:CC")
  }

  package func diagnosis() async throws -> API.Diagnosis { .fake }

  package func checkExport(_ selection: ExportQuery) async throws {
    try note(
      "checkExport \(selection.format.name) \(selection.person ?? "-") \(selection.range.lowerBound.microseconds)")
  }

  package func export(_ selection: ExportQuery, to write: ([UInt8]) throws -> Void) throws {
    try write(Array("zip".utf8))
  }

  package func previewDeletion(
    _ selection: SessionSelection, _ category: DataCategory
  ) async throws -> API.DeletionCounts {
    try note("preview \(Self.text(selection))" + (category == .sessions ? "" : " \(category.rawValue)"))
    return API.DeletionCounts(SessionContents(), running: 0)
  }

  package func delete(
    _ selection: SessionSelection, _ category: DataCategory
  ) async throws -> API.DeletionCounts {
    try note("delete \(Self.text(selection))" + (category == .sessions ? "" : " \(category.rawValue)"))
    return API.DeletionCounts(SessionContents(), running: 0)
  }

  private static func text(_ selection: SessionSelection) -> String {
    let range = selection.range.map { "\($0.lowerBound.microseconds)...\($0.upperBound.microseconds)" }
    return [selection.session, selection.person, selection.strap?.description, range].map { $0 ?? "-" }
      .joined(separator: " ")
  }

  package func baseline(of person: String?) async throws -> String {
    try note("baseline \(person ?? "-")")
    return "{}"
  }

  package func trends(_ question: TrendQuery) async throws -> API.Trends {
    try note("trends \(question.person ?? "-") \(question.period) \(question.end?.text ?? "-")")
    let now = WallTime(microseconds: 0)
    return API.Trends(period: question.period, start: now, end: now, points: [], usual: nil)
  }
}
