import FoundationEssentials
import Glibc
import StressKit
import TachogramCore

/// An error of the database, with its facts. Only `description` words it.
package enum RepositoryError: Error, Hashable, Sendable {
  // MARK: - Opening

  /// There is no file at `path`.
  case missing(path: String)
  /// There is a folder, a device, a pipe or a socket at `path`.
  case notAFile(path: String)
  /// The kernel generates the file at `path` when it is read, as in /proc and /sys.
  case madeByKernel(path: String)
  /// The file has this number of names (hard links), each of which would have its own lock and log.
  case severalNames(path: String, names: Int)
  /// `path` cannot be examined, for example because of a cycle of links; `errno` is the reason.
  case unreachable(path: String, errno: Int32)
  /// The file to be copied is empty.
  case emptyCopy(path: String)
  /// The file is empty, although there are copies of the database in `copies`, or a log beside it.
  case emptied(path: String, copies: String)
  /// The file is not a SQLite database.
  case notADatabase(path: String)
  /// The file is a SQLite database of another program.
  case otherDatabase(path: String)
  /// A newer version of this program applied these migrations, which this version does not know.
  case newerSchema(path: String, migrations: [String])
  /// The schema is older than this program's, and the database was opened for reading only.
  case olderSchema(path: String)
  /// The schema is older than this program's, and could not be brought up to date. The database is as it was.
  indirect case notMigrated(path: String, cause: RepositoryError)
  /// The database was opened for reading, until it can be brought up to date or its disk can be written.
  case heldBack(path: String)
  /// The database cannot even be read now, for example with a log on a read-only disk.
  indirect case unavailable(path: String, cause: RepositoryError)
  /// Not all that was received while nothing could be stored is kept at the end of the program.
  indirect case notKept(path: String, cause: RepositoryError)
  /// The folder for the database could not be created; `errno` is the reason.
  case folderNotCreated(path: String, errno: Int32)
  /// The database file could not be created; `errno` is the reason.
  case fileNotCreated(path: String, errno: Int32)
  /// This user may not read the file.
  case accessDenied(path: String)
  /// This user may not write the file, or the database was opened for reading only.
  case readOnly(path: String)
  /// SQLite could not open the database, or one of the two files beside it.
  case cannotOpen(path: String)

  /// The lock file of a database could not be opened or locked; `errno` is the reason.
  case notLocked(path: String, errno: Int32)

  // MARK: - Locked

  /// Another process has exclusive access to the database, or prevents recording.
  case locked(path: String)
  /// A station or a recording has the database open, which the operation does not allow.
  case inUseByRecorder(path: String)
  /// Another process writes to the database, which the operation does not allow.
  case inUseByWriter(path: String)
  /// The database file was replaced by another one.
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
  /// A value violates the schema; nothing of its transaction was stored.
  case contradiction(path: String, detail: String)
  /// Any other result of SQLite; `code` is the extended result code.
  case engine(path: String, code: Int32, detail: String)

  // MARK: - Contents

  /// No session has an identifier with this prefix.
  case sessionNotFound(prefix: String)
  /// Several sessions have identifiers with this prefix; the first ten are listed.
  case sessionAmbiguous(prefix: String, matches: [String])
  /// The prefix of an identifier has fewer than four characters.
  case prefixTooShort(prefix: String)
  /// The ledger contains a different entry with this sequence number.
  case ledgerConflict(session: String, sequence: Int64)
  /// The identifier is that of a stored session of another strap or another time.
  case otherSession(session: String)
  /// The session contains a different link with this number.
  case linkConflict(session: String, number: Int)
  /// The sequence number of a row does not follow the previous one; `table` is `ledger`, `beat` or `gap`.
  case sequenceHole(session: String, table: String, expected: Int64, found: Int64)
  /// The session was derived again while it was read.
  case sessionChanged(session: String)
  /// The instant is not within the session, which lasts from `start` to `end`.
  case outsideSession(session: String, start: WallTime, end: WallTime)
  /// The session has no marker with this identifier.
  case markerNotFound(id: String, session: String)
  /// The measurement or baseline belongs to another person than the repository.
  case otherPerson
  /// The measurement or baseline is of another metric than the repository.
  case otherKind(expected: HRVKind, found: HRVKind)
  /// The identifier is used by a measurement of another person or metric.
  case measurementConflict(id: UUID)
  /// A number or date is not finite, or a date is beyond the range of 64-bit microseconds.
  case unstorable(field: String)
  /// The session came from another station of the space, on which its night is changed.
  case receivedNight(session: String)
  /// Another strap has this name.
  case strapNameTaken(name: String)
}

extension RepositoryError {
  /// Whether the session to be written is not the one that its writer expects, or was deleted. Retrying does not help.
  package var isOfSession: Bool {
    switch self {
    case .sessionNotFound, .otherSession, .ledgerConflict, .linkConflict, .sequenceHole: true
    default: false
    }
  }

  /// Whether a file was refused because of its type or contents.
  var isRefusal: Bool {
    switch self {
    case .notADatabase, .otherDatabase, .newerSchema, .olderSchema, .emptyCopy: true
    default: false
    }
  }

  /// Whether what is stored contradicts what was to be stored.
  package var isOfContents: Bool {
    switch self {
    case .contradiction, .ledgerConflict, .linkConflict, .sequenceHole: true
    default: false
    }
  }

  /// Whether a statement failed because of the schema or the rows, and not because of the disk.
  package var isOfSchema: Bool {
    switch self {
    case .contradiction, .engine: true
    default: false
    }
  }

  /// Whether a single value cannot be stored, while others can.
  package var isOfValue: Bool {
    switch self {
    case .contradiction, .unstorable: true
    default: false
    }
  }
}

extension RepositoryError: CustomStringConvertible {
  /// The error, its location, and the remedy.
  package var description: String {
    switch self {
    case .missing(let path):
      "There is no database at \(path). Record or replay something first, or name another file with --database."
    case .notAFile(let path):
      "\(path) is a folder, a device, a pipe or a socket. Name a file."
    case .madeByKernel(let path):
      "\(path) is not a file on a disk: the kernel generates it while it is read. Name a file on a disk."
    case .severalNames(let path, let names):
      "\(path) is one of \(names) names (hard links) of a file, and its use under another one would not be noticed: its lock "
        + "and SQLite's log belong to a name. Keep the name in use (`find FOLDER -samefile FILE` lists them), and replace the "
        + "others with symbolic links (`ln -s`) or, while it is not in use, with copies (`cp`). Nothing was changed."
    case .unreachable(let path, let errno):
      "\(path) cannot be reached: \(SystemError.text(errno)). Name another file."
    case .emptyCopy(let path):
      "\(path) is empty, and no copy of a database. Name another file; nothing was replaced."
    case .emptied(let path, let copies):
      "\(path) is empty, although it was used. Restore one of its copies in \(copies) with `tachogram restore`, or, to begin a new "
        + "database, move the empty file away, with \(path)-wal if it exists; nothing was changed."
    case .notADatabase(let path):
      "\(path) is not a SQLite database. Name another file, or restore a snapshot if it was one (`tachogram restore`); this one was "
        + "left as it was."
    case .otherDatabase(let path):
      "\(path) is a database of another program. Name another file; this one was left as it was."
    case .newerSchema(let path, let migrations):
      "\(path) was written by a newer version of tachogram (\(migrations.joined(separator: ", "))). "
        + "Update tachogram; the database was left as it was."
    case .olderSchema(let path):
      "\(path) was written by an older version of tachogram, or is still empty. "
        + "Record or replay into it once, which brings it up to date."
    case .notMigrated(let path, let cause):
      "\(path) was written by an older version of tachogram and could not be brought up to date; it is as it was. \(cause)"
    case .heldBack(let path):
      "\(path) can only be read now: it could not be brought up to date with this version of tachogram, or its disk is full or "
        + "read-only. Nothing was changed."
    case .notKept(let path, let cause):
      "Not all that was received while nothing could be stored could be kept. What could is in \(path)-interim and is added at the next "
        + "start; the database is as it was. \(cause)"
    case .unavailable(_, .damaged), .unavailable(_, .notADatabase), .unavailable(_, .emptied):
      "The database is damaged, so that this is not possible now; nothing was changed. If there is a snapshot, restore it: Settings, Snapshots."
    case .unavailable(_, let cause): "The history cannot be read now, and nothing was changed. \(cause)"
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
      "\(path) is damaged. Keep a copy, restore a snapshot (`tachogram restore`) or a backup, or save what can be read with "
        + "`sqlite3 FILE .recover`."
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
    case .outsideSession(let session, let start, let end):
      "The time is not within session \(session), which lasts from \(Timestamp.text(start)) to \(Timestamp.text(end))."
    case .markerNotFound(let id, let session):
      "Session \(session) has no marker \(id). `tachogram sessions \(session.prefix(8))` lists its markers."
    case .otherPerson:
      "The value belongs to another person. Use the repository of that person."
    case .otherKind(let expected, let found):
      "The value is of \(found.rawValue), and this repository keeps \(expected.rawValue). Use the one of that metric."
    case .measurementConflict(let id):
      "Measurement \(id.uuidString.lowercased()) is stored for another person or metric. "
        + "Give this one an identifier of its own."
    case .unstorable(let field):
      "The \(field) is not finite or out of range, and cannot be stored. Correct it and try again."
    case .receivedNight(let session):
      "Session \(session) was recorded on another station of the space; its night is changed there."
    case .strapNameTaken(let name):
      "Another strap is called \(name). Choose another name; `tachogram straps` lists them."
    }
  }
}
