import CommandProcess
import Dashboard
import Recording
import Repository
import StressKit
import TachogramCore

/// Shows and restores snapshots for the page.
struct StationSnapshots: SnapshotBackend {
  let storage: StationStorage
  /// The result of the last restoration, in words, or `nil` if there was none.
  let lastResult: String?
  /// Ends the station, so that it starts again with the requested snapshot.
  let restart: @Sendable () -> Void
  /// The metric that stands for HRV in the stress of copied sessions that have none.
  let kind: HRVKind
  private let queries = QueryQueue()

  init(
    storage: StationStorage, kind: HRVKind, lastResult: String?, restart: @escaping @Sendable () -> Void
  ) {
    self.storage = storage
    self.kind = kind
    self.lastResult = lastResult
    self.restart = restart
  }

  func snapshots() async throws -> API.Snapshots {
    try await queries.run { [storage, lastResult] in
      API.Snapshots(
        snapshots: storage.snapshots.snapshots().map(Self.item),
        replaced: ReplacedDatabase(storage.database.path).files().map(Self.item), lastResult: lastResult)
    }
  }

  func preview(snapshot id: String) async throws -> API.SnapshotPreview {
    try await queries.run { [storage] in
      let snapshot = try Self.find(id, in: storage.snapshots)
      return try Self.preview(snapshot, storage.database)
    }
  }

  func restore(snapshot id: String) async throws {
    try await queries.run { [storage] in
      let snapshot = try Self.find(id, in: storage.snapshots)
      if let problem = try Self.preview(snapshot, storage.database).problem {
        throw DashboardError(.conflict, "the snapshot cannot be restored: \(problem)")
      }
      do {
        try RestoreRequest(database: storage.database.path).write(snapshot.path)
      } catch {
        throw DashboardError(.conflict, "the restoration cannot be requested: \(ErrorReason.text(error)).")
      }
    }
    restart()
  }

  private static func find(_ id: String, in folder: SnapshotFolder) throws -> SnapshotFolder.Snapshot {
    guard let snapshot = folder.snapshots().first(where: { $0.name == id }) else {
      throw DashboardError.notFound("there is no snapshot \(id).")
    }
    return snapshot
  }

  private static func item(_ snapshot: SnapshotFolder.Snapshot) -> API.Snapshot {
    API.Snapshot(id: snapshot.name, time: snapshot.time, bytes: snapshot.bytes)
  }

  // MARK: - Databases that were replaced

  func preview(replaced id: String) async throws -> API.ReplacedPreview {
    try await queries.run { [storage, kind] in
      let file = try Self.find(replaced: id, storage.database)
      let item = Self.item(file)
      do {
        let found = try Self.reading(file) { replaced in
          try ReplacedSessions(of: replaced, in: storage.database, kind: kind).compare()
        }
        return API.ReplacedPreview(
          replaced: item, problem: nil, missing: found.missing.count, firstMissing: found.missing.first?.start,
          lastMissing: found.missing.map(\.record.end).max(), overlapping: found.overlapping.count)
      } catch {
        return API.ReplacedPreview(replaced: item, problem: ErrorReason.text(error))
      }
    }
  }

  func copySessions(ofReplaced id: String) async throws -> API.CopiedSessions {
    try await queries.run { [storage, kind] in
      let file = try Self.find(replaced: id, storage.database)
      do {
        let copied = try Self.reading(file) { replaced in
          let sessions = ReplacedSessions(of: replaced, in: storage.database, kind: kind)
          return sessions.copy(try sessions.compare().missing, at: storage.time.now().wall)
        }
        if case RepositoryError.heldBack(let path)? = copied.failure?.error {
          throw RepositoryError.heldBack(path: path)
        }
        return API.CopiedSessions(
          copied: copied.count, problem: copied.failure.map { "\($0.session): \(ErrorReason.text($0.error))" })
      } catch RepositoryError.heldBack(let path) {
        throw RepositoryError.heldBack(path: path)
      } catch {
        return API.CopiedSessions(copied: 0, problem: ErrorReason.text(error))
      }
    }
  }

  private static func find(replaced id: String, _ database: TachogramDatabase) throws -> ReplacedDatabase.File {
    guard let file = ReplacedDatabase(database.path).files().first(where: { $0.name == id }) else {
      throw DashboardError.notFound("there is no replaced database \(id).")
    }
    return file
  }

  private static func item(_ file: ReplacedDatabase.File) -> API.Snapshot {
    API.Snapshot(id: file.name, time: file.time, bytes: file.bytes)
  }

  private static func reading<Value>(
    _ file: ReplacedDatabase.File, _ body: (TachogramDatabase) throws -> Value
  ) throws -> Value {
    let replaced = try TachogramDatabase.openSessions(ofCopy: file.path)
    defer { try? replaced.close() }
    return try body(replaced)
  }

  // MARK: - Snapshots

  private static func preview(
    _ snapshot: SnapshotFolder.Snapshot, _ database: TachogramDatabase
  ) throws -> API.SnapshotPreview {
    if let problem = problem(of: snapshot) { return API.SnapshotPreview(snapshot: item(snapshot), problem: problem) }
    // A snapshot of an older version is brought up to date when the station opens it.
    let whole = try TachogramDatabase.openSessions(ofCopy: snapshot.path)
    defer { try? whole.close() }
    let kept = try SessionRepository(database: whole).sessions()
    let known = Set(kept.map(\.description.id))
    // What a damaged database holds is not known.
    let stored = try? SessionRepository(database: database).sessions()
    let missing = (stored ?? []).filter { !known.contains($0.description.id) }
    return API.SnapshotPreview(
      snapshot: item(snapshot), problem: nil, sessions: kept.count, last: kept.map(\.end).max(),
      missing: stored.map { _ in missing.count }, firstMissing: missing.map(\.description.start).min(),
      lastMissing: missing.map(\.end).max())
  }

  /// Returns what is wrong with a snapshot, or `nil`. It is closed again: on a full disk, it can be open once only.
  private static func problem(of snapshot: SnapshotFolder.Snapshot) -> String? {
    do throws(RepositoryError) {
      let copy = try TachogramDatabase.openCopy(path: snapshot.path)
      defer { try? copy.close() }
      return try (copy.checkIntegrity() + copy.checkSchema()).first
    } catch {
      return error.description
    }
  }
}
