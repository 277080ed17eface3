/// What whoever runs the server may want to know.
package enum DashboardIncident: Hashable, Sendable {
  /// Somebody gave a token that is none.
  case wrongToken(from: String)
  /// There were more connections than there may be, and some were closed; reported once a minute at most.
  case tooManyConnections(from: String)
  /// A request could not be answered, through no fault of whoever asked.
  case failed(path: String, error: String)
}
