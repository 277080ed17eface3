import FoundationEssentials
import Glibc
import StressKit
import TachogramCore

/// Everything that can go wrong with the database, with the facts. `description` is the one place that words it.
package enum RepositoryError: Error, Hashable, Sendable {
  // MARK: - Opening

  /// There is no file to read at `path`.
  case missing(path: String)
  /// What is at `path` is a folder, a device, a pipe or a socket.
  case notAFile(path: String)
  /// The kernel makes the file at `path` up while it is read, as those of /proc and /sys.
  case madeByKernel(path: String)
  /// The file has so many names (hard links), each with a lock and a log of its own.
  case severalNames(path: String, names: Int)
  /// Nobody can look at `path`, as of links that lead in a circle; `errno` says why.
  case unreachable(path: String, errno: Int32)
  /// The file that is to be copied holds nothing.
  case emptyCopy(path: String)
  /// The file is not a SQLite database.
  case notADatabase(path: String)
  /// The file is a SQLite database of another program.
  case otherDatabase(path: String)
  /// A newer version of this program made these changes to the schema, which this one does not know.
  case newerSchema(path: String, migrations: [String])
  /// The schema is older than this program's, and the database was opened for reading only.
  case olderSchema(path: String)
  /// The folder for the database could not be made; `errno` says why.
  case folderNotCreated(path: String, errno: Int32)
  /// The database file could not be made; `errno` says why.
  case fileNotCreated(path: String, errno: Int32)
  /// This user may not read the file.
  case accessDenied(path: String)
  /// This user may not write the file, or the database was opened for reading only.
  case readOnly(path: String)
  /// SQLite could not open the database or one of the two files that it keeps beside it.
  case cannotOpen(path: String)

  /// The file that carries the lock of a database could not be opened or locked; `errno` says why.
  case notLocked(path: String, errno: Int32)

  // MARK: - Locked

  /// A process holds the database exclusively, or keeps recorders out of it.
  case locked(path: String)
  /// A station or a recording has the database open, and nobody may have.
  case inUseByRecorder(path: String)
  /// A process writes to the database, and nobody may.
  case inUseByWriter(path: String)
  /// Another file has taken the place of the one that was written to.
  case replaced(path: String)

  // MARK: - Using

  /// Another process held the database for longer than the busy timeout.
  case busy(path: String)
  /// The disk is full.
  case full(path: String)
  /// The disk failed; `code` is SQLite's extended result code.
  case inputOutput(path: String, code: Int32)
  /// The file is damaged.
  case damaged(path: String)
  /// The database was closed before.
  case closed(path: String)
  /// A value contradicts the schema; nothing of its transaction was stored.
  case contradiction(path: String, detail: String)
  /// Any other result of SQLite; `code` is the extended result code.
  case engine(path: String, code: Int32, detail: String)

  // MARK: - Contents

  /// No session has this identifier, or one that begins so.
  case sessionNotFound(prefix: String)
  /// Several sessions have an identifier that begins so; the first ten.
  case sessionAmbiguous(prefix: String, matches: [String])
  /// Fewer than four characters of an identifier.
  case prefixTooShort(prefix: String)
  /// The ledger holds another entry under this sequence number.
  case ledgerConflict(session: String, sequence: Int64)
  /// The identifier is that of a stored session of another strap or another time.
  case otherSession(session: String)
  /// The session holds another link under this number.
  case linkConflict(session: String, number: Int)
  /// A row does not follow on the one before; `table` is `ledger`, `beat` or `gap`.
  case sequenceHole(session: String, table: String, expected: Int64, found: Int64)
  /// The session was derived anew while it was read.
  case sessionChanged(session: String)
  /// The measurement, or the baseline, belongs to another person than the repository.
  case otherPerson
  /// The measurement, or the baseline, is of another metric than the repository.
  case otherKind(expected: HRVKind, found: HRVKind)
  /// The identifier is taken by a measurement of another person or another metric.
  case measurementConflict(id: UUID)
  /// A number or a date that is not finite, or a date beyond the range of 64-bit microseconds.
  case unstorable(field: String)
  /// Another strap has this name.
  case strapNameTaken(name: String)
}

extension RepositoryError {
  /// Whether the session that was to be written is not what its writer takes it for, or is gone: trying again never helps.
  package var isOfSession: Bool {
    switch self {
    case .sessionNotFound, .otherSession, .ledgerConflict, .linkConflict, .sequenceHole: true
    default: false
    }
  }

  /// Whether a file was refused for what it is.
  var isRefusal: Bool {
    switch self {
    case .notADatabase, .otherDatabase, .newerSchema, .olderSchema, .emptyCopy: true
    default: false
    }
  }

  /// Whether it is about a value that cannot be stored, whatever else can.
  package var isOfValue: Bool {
    switch self {
    case .contradiction, .unstorable: true
    default: false
    }
  }
}

extension RepositoryError: CustomStringConvertible {
  /// What happened, where, and what to do next.
  package var description: String {
    switch self {
    case .missing(let path):
      "There is no database at \(path). Record or replay something first, or name another file with --database."
    case .notAFile(let path):
      "\(path) is a folder, a device, a pipe or a socket. Name a file."
    case .madeByKernel(let path):
      "\(path) is no file on a disk: the kernel makes it up while it is read. Name a file on a disk."
    case .severalNames(let path, let names):
      "\(path) is one of \(names) names (hard links) of a file, and whoever uses it under another one would not be seen: its lock "
        + "and SQLite's log belong to a name. Keep the one that is used (`find FOLDER -samefile FILE` lists them), and make "
        + "symbolic links (`ln -s`) or, while nothing uses it, copies (`cp`) of the others. Nothing was changed."
    case .unreachable(let path, let errno):
      "\(path) cannot be reached: \(SystemError.text(errno)). Name another file."
    case .emptyCopy(let path):
      "\(path) is empty, and no copy of a database. Name another file; nothing was replaced."
    case .notADatabase(let path):
      "\(path) is not a SQLite database. Name another file; this one was left as it was."
    case .otherDatabase(let path):
      "\(path) is a database of another program. Name another file; this one was left as it was."
    case .newerSchema(let path, let migrations):
      "\(path) was written by a newer version of tachogram (\(migrations.joined(separator: ", "))). "
        + "Update tachogram; the database was left as it was."
    case .olderSchema(let path):
      "\(path) was written by an older version of tachogram, or is still empty. "
        + "Record or replay into it once, which brings it up to date."
    case .folderNotCreated(let path, let errno):
      "The folder \(path) could not be made: \(SystemError.text(errno)). "
        + "Make it by hand, or name a file elsewhere with --database."
    case .fileNotCreated(let path, let errno):
      "The database \(path) could not be made: \(SystemError.text(errno)). "
        + "Check that you may write its folder, or name a file elsewhere with --database."
    case .accessDenied(let path):
      "You may not read \(path). Run as the user it belongs to, or change its owner."
    case .readOnly(let path):
      "\(path) cannot be written. Check the owner and mode of the file and of its folder, and that the disk is not "
        + "mounted read-only."
    case .cannotOpen(let path):
      "\(path) could not be opened. Check that you may read and write its folder: SQLite keeps two files beside the "
        + "database (-wal and -shm). From a read-only disk, copy the database elsewhere first."
    case .notLocked(let path, let errno):
      "\(path), which keeps commands from writing while the database is replaced, cannot be used: \(SystemError.text(errno)). "
        + (SystemError.isAboutAccess(errno)
          ? "Check that you may write its folder, and give it the owner and the mode of the database."
          : "Its file system may have no locks: keep the database on a local disk.")
    case .locked(let path):
      "\(path) is locked by a running restore, delete or import. Nothing was stored; try again when that is done."
    case .inUseByRecorder(let path):
      "A station or a recording is using \(path); stop it first."
    case .inUseByWriter(let path):
      "\(path) is in use by a running import, replay or other command that writes. Try again when that is done."
    case .replaced(let path):
      "Another file has taken the place of \(path) while it was written to, and what was stored now is not in that one. "
        + "Do the same again."
    case .busy(let path):
      "\(path) is in use by another process. Wait until it is done, or stop it, and try again."
    case .full(let path):
      "The disk that holds \(path) is full. Free some space, or delete recordings with `tachogram delete`, and try "
        + "again; what was stored before is safe."
    case .inputOutput(let path, let code):
      "The disk that holds \(path) failed (SQLite \(code)). Check the disk (dmesg) and copy the database elsewhere."
    case .damaged(let path):
      "\(path) is damaged. Keep a copy, restore a backup, or save what can be read with `sqlite3 FILE .recover`."
    case .closed(let path):
      "The database \(path) was used after it was closed. This is a defect of tachogram: please report it."
    case .contradiction(let path, let detail):
      "\(path) refused a value (\(detail)); nothing of it was stored. This is a defect of tachogram: please report it."
    case .engine(let path, let code, let detail):
      "SQLite failed on \(path): \(detail) (\(code)). Try again, and check the disk if it happens again."
    case .sessionNotFound(let prefix):
      "There is no session \(prefix). `tachogram sessions` lists them."
    case .sessionAmbiguous(let prefix, let matches):
      "Several sessions begin with \(prefix): \(matches.joined(separator: ", ")). Give more characters."
    case .prefixTooShort(let prefix):
      "\"\(prefix)\" is too short for a session. Give at least \(SessionRepository.shortestPrefix) characters of it."
    case .ledgerConflict(let session, let sequence):
      "Session \(session) holds another entry \(sequence) than the one given. The ledger is never rewritten: "
        + "replay the capture that the session came from, or store into another database with --database."
    case .otherSession(let session):
      "Session \(session) is stored, of another strap or another time than the one given; nothing was changed. "
        + "Store into another database with --database."
    case .linkConflict(let session, let number):
      "Session \(session) holds another link \(number) than the one given. The ledger is never rewritten: "
        + "replay the capture that the session came from, or store into another database with --database."
    case .sequenceHole(let session, let table, let expected, let found):
      "Session \(session) expects \(table) \(expected) next and was given \(found); nothing of it was stored. "
        + "This is a defect of tachogram: please report it."
    case .sessionChanged(let session):
      "Session \(session) was derived anew while it was read. Read it again when the other command is done."
    case .otherPerson:
      "The value belongs to another person. Use the repository of that person."
    case .otherKind(let expected, let found):
      "The value is of \(found.rawValue), and this repository keeps \(expected.rawValue). Use the one of that metric."
    case .measurementConflict(let id):
      "Measurement \(id.uuidString.lowercased()) is stored for another person or metric. "
        + "Give this one an identifier of its own."
    case .unstorable(let field):
      "The \(field) is not finite or out of range, and cannot be stored. Correct it and try again."
    case .strapNameTaken(let name):
      "Another strap is called \(name). Choose another name; `tachogram straps` lists them."
    }
  }
}
