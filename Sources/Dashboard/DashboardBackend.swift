import TachogramCore

/// What the page asks of the station. Throws `DashboardError` where the question was wrong, anything else where the station
/// failed. Answers are of now; nothing is kept for the caller.
package protocol DashboardBackend: Sendable {
  func status() async throws -> API.Status
  /// What keeps the station from its work; `nil` when nothing does.
  func problem() async -> String?
  /// The readings of all straps, with their last beats.
  func live() async -> API.Live
  /// Counters and gauges for a monitoring system.
  func metrics() async throws -> [Metric]

  func straps() async throws -> [API.Strap]
  func change(strap: BluetoothAddress, _ change: API.StrapChange) async throws -> API.Strap
  func forget(strap: BluetoothAddress) async throws

  func persons() async throws -> [String]
  func sessions(_ question: SessionQuery) async throws -> API.Sessions
  func session(_ id: String) async throws -> API.Session
  /// At most about `points` beats.
  func beats(of session: String, points: Int) async throws -> API.Beats
  func poincare(of session: String) async throws -> API.Poincare
  func windows(of session: String, length: WindowLength) async throws -> API.Windows
  func stress(of session: String) async throws -> API.StressSeries
  /// The formats that sessions are exported in; the first is the usual one.
  var exportFormats: [ExportFormat] { get }
  /// Throws where a session cannot be exported in a format.
  func checkExport(_ session: String, _ format: ExportFormat) async throws
  /// Hands the file to `write` piece by piece.
  func export(_ session: String, _ format: ExportFormat, to write: ([UInt8]) throws -> Void) throws
  func previewDeletion(_ selection: SessionSelection) async throws -> API.DeletionCounts
  func delete(_ selection: SessionSelection) async throws -> API.DeletionCounts

  /// As `tachogram baseline --format json` prints it.
  func baseline(of person: String?) async throws -> String
  func trends(_ question: TrendQuery) async throws -> API.Trends
}
