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
    package let straps: [String]
    /// Why straps that were paired since the copy may be missing, or have their addresses as names, or `nil`.
    package let doubt: Doubt?

    /// What became of straps that were paired since the copy, in words, or `nil`.
    package var ofStraps: String? {
      let kept = straps.isEmpty ? nil : "These straps stay paired: \(straps.joined(separator: ", "))."
      let lost = doubt.map { "Check the paired straps and their names, because \($0.rawValue)." }
      let sentences = [kept, lost].compactMap { $0 }
      return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
  }

  /// Why the straps of a replaced database are not in its copy.
  package enum Doubt: String, Hashable, Sendable {
    case unreadable = "the replaced database could not be read"
    case notMigrated = "the copy could not be brought up to date"
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
      let result = try replace(path, with: source, under: lock)
      lock.release()
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
    // SQLite would delete the log of an empty file; it is kept beside it.
    let isEmpty = TachogramDatabase.isEmpty(path: path)
    let missing = isEmpty ? [] : sessions(path).subtracting(sessions(source.path))
    let stored = isEmpty ? nil : try? straps(path)
    let paired = stored ?? PairedMark(database: path).straps
    var kept: [String] = []
    var doubt: Doubt? = stored == nil ? .unreadable : nil
    // Moves the log into the file that is replaced, because only one file at a time can be renamed. The log of a file that is
    // too damaged for that is kept beside it.
    if !isEmpty, PathKind(path) == .file { try? TachogramDatabase.foldLog(path: path) }
    do {
      let database = ReplacedDatabase(path)
      let replaced = try database.replace(with: source, at: SystemTimeSource().now().wall, under: lock) { copy in
        do throws(RepositoryError) {
          kept = try keep(paired, in: copy)
        } catch {
          // A copy that this version cannot bring up to date can be restored for the previous version.
          guard case .notMigrated(_, let cause) = error, cause.isOfSchema, case .nothing = PathKind(copy + "-journal")
          else {
            throw error
          }
          doubt = .notMigrated
        }
      }
      return Result(copy: source.path, replaced: replaced, missing: missing.count, straps: kept, doubt: doubt)
    } catch let error as RepositoryError {
      throw error
    } catch {
      throw CommandFailure("the copy could not be put in place: \(ErrorReason.text(error))")
    }
  }

  /// Stores the paired straps of the database that is replaced in the copy if the copy lacks them, with their names and persons:
  /// without them, a station would not listen to them any more, or to the first strap that it finds. Returns their names.
  private static func keep(_ straps: [KnownStrap], in copy: String) throws(RepositoryError) -> [String] {
    if straps.isEmpty { return [] }
    let database = try TachogramDatabase.openUnplaced(copy: copy)
    defer { try? database.close() }
    let repository = StrapRepository(database: database)
    let known = Set(try repository.straps().map(\.address))
    var kept: [String] = []
    for strap in straps where !known.contains(strap.address) { kept.append(try repository.remember(strap).name) }
    try database.close()
    return kept
  }

  /// Returns the paired straps in a database.
  private static func straps(_ path: String) throws(RepositoryError) -> [KnownStrap] {
    if case .nothing = PathKind(path) { return [] }
    return try StrapRepository.straps(ofCopy: path)
  }

  /// Returns the sessions in a database, or an empty set if it cannot be read.
  private static func sessions(_ path: String) -> Set<String> {
    guard let database = try? TachogramDatabase.openSessions(ofCopy: path) else { return [] }
    defer { try? database.close() }
    return Set((try? SessionRepository(database: database).sessions().map(\.description.id)) ?? [])
  }
}
