import TachogramCore

/// The functions of the station that the page uses. Methods throw `DashboardError` if the request is invalid, and any other
/// error if the station fails. Answers describe the current state; nothing is cached for the caller.
package protocol DashboardBackend: Sendable {
  func status() async throws -> API.Status
  /// Returns the problem that prevents the station from working, or `nil` if there is no problem.
  func problem() async -> String?
  /// The readings of all straps, with their last beats.
  func live() async -> API.Live
  /// Counters and gauges for a monitoring system. `mayIncludeHeart` is whether whoever asks may read heart values, which are
  /// included only if the configuration says so.
  func metrics(mayIncludeHeart: Bool) async throws -> [Metric]

  /// Returns the authority of the page's certificate, or `nil` if the station did not make it.
  func authority() throws -> PageAuthority?

  func straps() async throws -> [API.Strap]
  func change(strap: BluetoothAddress, _ change: API.StrapChange) async throws -> API.Strap
  func forget(strap: BluetoothAddress) async throws
  /// The settings that the page shows.
  func settings() async throws -> [API.Setting]
  /// Changes settings by key; `nil` restores the value that applies otherwise. Nothing is changed if a value is invalid.
  func change(settings: [String: String?]) async throws
  /// The changes that people make to stored sessions.
  var edits: any SessionEditBackend { get }
  /// The nights.
  var nights: any NightBackend { get }
  /// The contents of glances.
  var glances: any GlanceBackend { get }
  /// Measurements of some minutes.
  var readings: any ReadingBackend { get }
  /// The snapshots of the database.
  var snapshots: any SnapshotBackend { get }
  /// The examination of the machine, or `nil` without a radio.
  var doctor: (any DoctorBackend)? { get }
  /// The synchronisation with other stations.
  func syncState() async throws -> API.SyncState
  /// Returns what helps to find a fault, and nothing about persons.
  func diagnosis() async throws -> API.Diagnosis
  /// The pairing of straps, or `nil` without a radio.
  var pairing: (any PairingBackend)? { get }

  func persons() async throws -> [String]
  func sessions(_ question: SessionQuery) async throws -> API.Sessions
  func session(_ id: String) async throws -> API.Session
  /// Returns at most about `points` beats.
  func beats(of session: String, points: Int) async throws -> API.Beats
  func poincare(of session: String) async throws -> API.Poincare
  func windows(of session: String, length: WindowLength) async throws -> API.Windows
  func stress(of session: String) async throws -> API.StressSeries
  /// The export formats of sessions. The first one is the default.
  var exportFormats: [ExportFormat] { get }
  /// Throws an error if a session cannot be exported in a format.
  func checkExport(_ session: String, _ format: ExportFormat) async throws
  /// Calls `write` with the file piece by piece.
  func export(_ session: String, _ format: ExportFormat, to write: ([UInt8]) throws -> Void) throws
  /// Throws a `DashboardError` if no session is selected.
  func checkExport(_ selection: ExportQuery) async throws
  /// Calls `write` with the pieces of a ZIP file of all selected sessions.
  func export(_ selection: ExportQuery, to write: ([UInt8]) throws -> Void) throws
  func previewDeletion(_ selection: SessionSelection, _ category: DataCategory) async throws -> API.DeletionCounts
  func delete(_ selection: SessionSelection, _ category: DataCategory) async throws -> API.DeletionCounts

  /// Returns the output of `tachogram baseline --format json`.
  func baseline(of person: String?) async throws -> String
  func trends(_ question: TrendQuery) async throws -> API.Trends
}
