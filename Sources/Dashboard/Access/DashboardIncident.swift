/// The incidents that the server reports to its operator.
package enum DashboardIncident: Hashable, Sendable {
  /// A request had an invalid token.
  case wrongToken(from: String)
  /// There were too many connections, and some were closed. Reported at most once a minute.
  case tooManyConnections(from: String)
  /// A request could not be answered, through no fault of the client.
  case failed(path: String, error: String)
}
