import GRDB
import GRDBSQLite

/// The first page of a file, as it is on the disk: looked at before anything is made beside the file. A database in WAL mode
/// cannot be read without a log and a shared memory file beside it, and a lock needs a file as well.
///
/// What it lets through is checked again, log and all, when the database is open.
struct DatabaseHeader {
  private static let length = 4096
  private static let magic = Array("SQLite format 3\u{0}".utf8)
  /// In the first page of a database whose making was cut off before its first migration.
  private static let beginning = Array("grdb_migrations".utf8)

  private let bytes: [UInt8]
  /// Of the file, in bytes.
  private let size: Int64
  private let path: String

  /// Reads the file through SQLite, which knows when closing it would end locks of this process. Locks nothing.
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
    // What a file is too short for is zero.
    var bytes = [UInt8](repeating: 0, count: length)
    let code = read(file, &bytes, Int32(length), 0)
    if code != ResultCode.SQLITE_IOERR_SHORT_READ.rawValue { try check(code) }
    return (bytes, size)
  }

  private static func check(_ code: Int32) throws {
    if code != SQLITE_OK { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  /// Throws `notADatabase` and `otherDatabase` where the first page is enough to say so.
  func check() throws(RepositoryError) {
    // A new file, or one that has all of it in its log.
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
