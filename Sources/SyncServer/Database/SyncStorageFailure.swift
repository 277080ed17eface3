/// The reason why a storage cannot do what was asked. No case contains values that clients sent.
package enum SyncStorageFailure: Error, Hashable {
  /// The database cannot be reached, or is busy. It may be again after this time.
  case unavailable(retryAfter: Duration)
  /// There is no connection to the database; `reason` is for its operator.
  case disconnected(reason: String)
  /// The disk of the database is full.
  case full
  /// Another token has this name.
  case nameTaken
  /// The database reports an error: SQLite's result code, or PostgreSQL's SQLSTATE.
  case failed(code: String)
  /// The database has a schema of a newer version.
  case newerSchema
  /// The database cannot be opened; `reason` is for its operator.
  case notOpened(reason: String)
}

extension SyncStorageFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unavailable: "the database cannot be reached, or is busy"
    case .disconnected(let reason): "there is no connection to the database: \(reason)"
    case .full: "the disk of the database is full"
    case .nameTaken: "another token has this name; revoke it first, or choose another name"
    case .failed(let code): "the database reports error \(code)"
    case .newerSchema: "a newer version of the program made the database; install that version"
    case .notOpened(let reason): "the database cannot be opened: \(reason)"
    }
  }
}
