/// What a sync server reports to its operator. Neither tokens nor contents are in it.
package enum SyncIncident: Hashable, Sendable {
  /// A request could not be answered.
  case failed(SyncStorageFailure)
  /// There were too many connections, and some were closed. Reported at most once a minute.
  case tooManyConnections(from: String)
}
