import GRDB
import GRDBSQLite

/// The first page of a file on the disk, which is checked before any file is created beside it. A database in WAL mode cannot
/// be read without a log and a shared memory file beside it, and a lock needs a file as well.
///
/// A file that passes this check is checked again, including its log, when the database is open.
struct DatabaseHeader {
  private static let length = 4096
  private static let magic = Array("SQLite format 3\u{0}".utf8)
  /// A text in the first page of a database whose creation was interrupted before its first migration.
  private static let beginning = Array("grdb_migrations".utf8)

  private let bytes: [UInt8]
  /// The size of the file, in bytes.
  private let size: Int64
  private let path: String

  /// Reads the file through SQLite, which does not close a file while that would end locks of this process. Acquires no locks.
  init(path: String) throws(RepositoryError) {
    self.path = path
    do {
      (bytes, size) = try Self.read(path)
    } catch {
      throw SQLiteErrorTranslator(path: path).translate(error)
    }
  }

  private static func read(_ path: String) throws -> (bytes: [UInt8], size: Int64) {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    try check(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil))
    var file: UnsafeMutablePointer<sqlite3_file>?
    try check(sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file))
    guard let file, let methods = file.pointee.pMethods, let read = methods.pointee.xRead,
      let fileSize = methods.pointee.xFileSize
    else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
    var size: Int64 = 0
    try check(fileSize(file, &size))
    // Bytes beyond the end of the file are zero.
    var bytes = [UInt8](repeating: 0, count: length)
    let code = read(file, &bytes, Int32(length), 0)
    if code != ResultCode.SQLITE_IOERR_SHORT_READ.rawValue { try check(code) }
    return (bytes, size)
  }

  private static func check(_ code: Int32) throws {
    if code != SQLITE_OK { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  /// Throws `notADatabase` or `otherDatabase` if the first page is sufficient to decide that.
  func check() throws(RepositoryError) {
    // A new file.
    if size == 0 { return }
    guard bytes.starts(with: Self.magic) else { throw .notADatabase(path: path) }
    let application = bytes[68..<72].reduce(0) { $0 << 8 | Int64($1) }
    if application == SchemaMigrator.applicationID { return }
    // An empty database is a leaf of no cells (fileformat2.html, 1.6).
    let isEmpty = bytes[100] == 13 && bytes[103] == 0 && bytes[104] == 0
    guard application == 0, isEmpty || bytes.firstRange(of: Self.beginning) != nil else {
      throw .otherDatabase(path: path)
    }
  }
}
