import CommandProcess
import Repository
import TachogramCore

/// Replaces a database with a copy of it.
package struct DatabaseRestoration {
  /// What was restored.
  package struct Result: Hashable, Sendable {
    package let copy: String
    /// The path of the database that was replaced, or `nil` if there was none.
    package let replaced: String?
    /// The number of sessions of the replaced database that the copy lacks.
    package let missing: Int
    /// The paired straps of the replaced database that the copy lacked, and that stay paired.
    package var straps: [String] = []
  }

  /// Restores a copy. The database is locked before the copy is read, so that no process can write to it until it is replaced.
  /// Throws a `CommandFailure` or a `RepositoryError`; then nothing was replaced.
  package static func restore(_ copy: String, to path: String) throws -> Result {
    if DatabaseLock.fileName(of: copy) == DatabaseLock.fileName(of: path) {
      throw CommandFailure("\(copy) is the database itself; name a copy of it")
    }
    let source = try open(copy)
    defer { try? source.close() }
    try TachogramDatabase.makeFolder(for: path)
    let lock = try DatabaseLock(database: path, for: .exclusive)
    do {
      let findings = try source.checkIntegrity()
      guard findings.isEmpty else { throw CommandFailure("\(copy) is damaged too: \(findings[0])") }
      if let finding = try source.checkSchema().first {
        throw CommandFailure(
          "\(copy) is not a complete copy of a database: \(finding). Name another one; nothing was replaced.")
      }
      var result = try replace(path, with: source, under: lock)
      lock.release()
      result.straps = keepStraps(of: result.replaced, in: path)
      return result
    } catch {
      lock.discard()
      throw error
    }
  }

  private static func open(_ copy: String) throws -> TachogramDatabase {
    do {
      return try TachogramDatabase.openCopy(path: copy)
    } catch RepositoryError.missing(let path) {
      throw CommandFailure("there is no copy \(path); `tachogram restore --list` lists all")
    }
  }

  private static func replace(
    _ path: String, with source: TachogramDatabase, under lock: DatabaseLock
  ) throws -> Result {
    let missing = sessions(path).subtracting(sessions(source.path))
    // Moves the log into the file that is replaced, because only one file at a time can be renamed. The log of a file that is
    // too damaged for that is kept beside it.
    if PathKind(path) == .file { try? TachogramDatabase.foldLog(path: path) }
    do {
      let database = ReplacedDatabase(path)
      let replaced = try database.replace(with: source, at: SystemTimeSource().now().wall, under: lock)
      return Result(copy: source.path, replaced: replaced, missing: missing.count)
    } catch let error as RepositoryError {
      throw error
    } catch {
      throw CommandFailure("the copy could not be put in place: \(ErrorReason.text(error))")
    }
  }

  /// Stores the paired straps of a replaced database that the copy lacks, with their names and persons: without them, a station
  /// would not listen to them any more, or to the first strap that it finds. Returns their names.
  private static func keepStraps(of replaced: String?, in path: String) -> [String] {
    do {
      guard let replaced else { return [] }
      let previous = try TachogramDatabase.openSessions(ofCopy: replaced)
      defer { try? previous.close() }
      let straps = try StrapRepository(database: previous).straps()
      let database = try DatabaseOpening.open(path)
      defer { try? database.close() }
      let repository = StrapRepository(database: database)
      let known = Set(try repository.straps().map(\.address))
      let kept = try straps.filter { !known.contains($0.address) }.map { try repository.remember($0).name }
      try database.close()
      return kept
    } catch {
      StandardStreams.error(
        "tachogram: warning: straps that were paired since the copy have to be paired again: \(error)")
      return []
    }
  }

  /// Returns the sessions in a database, or an empty set if it cannot be read.
  private static func sessions(_ path: String) -> Set<String> {
    guard let database = try? TachogramDatabase.openSessions(ofCopy: path) else { return [] }
    defer { try? database.close() }
    return Set((try? SessionRepository(database: database).sessions().map(\.description.id)) ?? [])
  }
}
