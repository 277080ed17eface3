import GRDB

/// Converts errors of GRDB and SQLite to `RepositoryError`.
struct SQLiteErrorTranslator: Sendable {
  /// The path for the errors.
  let path: String
  /// Returns the free space of the file system of a path.
  var freeSpace: @Sendable (String) -> FreeSpace? = { FreeSpace(at: $0) }

  /// The result codes for a reader when the files beside the database are missing or stale, and it must not write them.
  private static let needsFilesBesideIt = [
    ResultCode.SQLITE_READONLY_CANTINIT, .SQLITE_READONLY_CANTLOCK, .SQLITE_READONLY_RECOVERY,
    .SQLITE_READONLY_DIRECTORY,
  ].map(\.rawValue)

  /// Returns the converted error. A `RepositoryError` is returned unchanged.
  func translate(_ error: any Error) -> RepositoryError {
    if let error = error as? RepositoryError { return error }
    guard let error = error as? DatabaseError else {
      return .engine(path: path, code: ResultCode.SQLITE_ERROR.rawValue, detail: "\(type(of: error))")
    }
    let code = error.extendedResultCode.rawValue
    // `message` names tables and columns, never values: `publicStatementArguments` is off.
    let detail = error.message ?? "no message"
    switch error.resultCode {
    case .SQLITE_FULL: return .full(path: path)
    case .SQLITE_READONLY where Self.needsFilesBesideIt.contains(code): return .cannotOpen(path: path)
    case .SQLITE_READONLY: return .readOnly(path: path)
    case .SQLITE_CANTOPEN: return isFull ? .full(path: path) : .cannotOpen(path: path)
    case .SQLITE_PERM, .SQLITE_AUTH: return .accessDenied(path: path)
    case .SQLITE_NOTADB: return .notADatabase(path: path)
    case .SQLITE_CORRUPT: return .damaged(path: path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: return .busy(path: path)
    case .SQLITE_IOERR:
      return isFull ? .full(path: path) : isReadOnly ? .readOnly(path: path) : .inputOutput(path: path, code: code)
    case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: return .contradiction(path: path, detail: detail)
    // GRDB reports this for a closed connection.
    case .SQLITE_MISUSE where detail.contains("closed"): return .closed(path: path)
    default: return .engine(path: path, code: code, detail: detail)
    }
  }

  /// Whether the disk is full. SQLite reports a full disk for some operations only, not for creating a file or the shared
  /// memory of a log.
  private var isFull: Bool { space?.isUsedUp ?? false }

  /// Whether the file system is read-only. SQLite reports one that turned read-only after the database was opened, as the
  /// kernel makes it after an error, as a disk that failed.
  private var isReadOnly: Bool { space?.isReadOnly ?? false || ReadOnlyProbe.isReadOnly(folder: folder) }

  private var space: FreeSpace? { freeSpace(path) ?? freeSpace(folder) }

  private var folder: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }
}
