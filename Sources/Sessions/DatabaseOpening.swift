import CommandProcess
import FoundationEssentials
import Recording
import Repository
import TachogramCore

/// Opens databases for commands.
package enum DatabaseOpening {
  /// Opens a database for writing. A database that is created for a command that stores nothing is deleted again. A database of
  /// an older version is copied to `copies` before it is migrated, by default to its own folder; `nil` for no copy.
  package static func open(
    _ path: String, for use: DatabaseLock.Use = .writing, copies: SnapshotFolder?,
  ) throws(RepositoryError) -> TachogramDatabase {
    if let copies { try TachogramDatabase.checkNotEmptied(path: path, copies: copies) }
    let database = try TachogramDatabase.open(path: path, for: use, keepsEmpty: false) { database in
      // An empty database left by an interrupted command is not copied.
      guard let copies, (try? database.isEmpty()) != true else { return }
      // An update that fails is tried at each start.
      let now = SystemTimeSource().now().wall
      if (try? copies.holdsAll(of: database, at: now)) == true { return }
      do {
        let findings = try copies.add(database, at: now, keep: .max)
        guard let finding = findings.first else { return }
        StandardStreams.error("tachogram: warning: \(path) is damaged and was not copied: \(finding)")
      } catch {
        StandardStreams.error(
          "tachogram: warning: no copy was made of \(path) before it was brought up to date: \(error)")
      }
    }
    ProcessEnd.beforeForce(database.abandoning)
    warnOfSilentRecorders(database)
    return database
  }

  private static func warnOfSilentRecorders(_ database: TachogramDatabase) {
    guard database.silentRecorders > 0 else { return }
    StandardStreams.error(
      """
      tachogram: warning: what was heard last may be missing: a process that records into \(database.path) does not \
      answer
      """)
  }

  /// Opens a database for reading.
  package static func openReadOnly(_ path: String) throws(RepositoryError) -> TachogramDatabase {
    let database = try TachogramDatabase.openReadOnly(path: path)
    warnOfSilentRecorders(database)
    return database
  }

  package static func open(
    _ path: String, for use: DatabaseLock.Use = .writing
  ) throws(RepositoryError) -> TachogramDatabase {
    try open(path, for: use, copies: SnapshotFolder(nil, database: path))
  }

  /// Opens a database of any version for reading. It is not brought up to date, see `TachogramDatabase.openHeldBack`. Throws
  /// `olderSchema` for one that is still empty.
  package static func openForReading(_ path: String) throws(RepositoryError) -> TachogramDatabase {
    do {
      return try openReadOnly(path)
    } catch .olderSchema {
      do {
        let database = try TachogramDatabase.openHeldBack(path: path)
        warnOfSilentRecorders(database)
        return database
      } catch .emptyCopy {
        try TachogramDatabase.checkNotEmptied(path: path, copies: SnapshotFolder(nil, database: path))
        throw .olderSchema(path: path)
      }
    }
  }

  /// Opens a database of any version for reading, or returns `nil` if it does not exist.
  package static func openForReading(ifPresent path: String) throws -> TachogramDatabase? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try CommandFailure.wording {
      do {
        return try openForReading(path)
      } catch RepositoryError.olderSchema {
        // Its tables are created, which requires write access.
        try open(path).close()
        return try openReadOnly(path)
      }
    }
  }
}
