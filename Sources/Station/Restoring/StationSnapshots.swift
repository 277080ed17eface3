import CommandProcess
import Dashboard
import Recording
import Repository
import TachogramCore

/// Shows and restores snapshots for the page.
struct StationSnapshots: SnapshotBackend {
  let storage: StationStorage
  /// The result of the last restoration, in words, or `nil` if there was none.
  let lastResult: String?
  /// Ends the station, so that it starts again with the requested snapshot.
  let restart: @Sendable () -> Void
  private let queries = QueryQueue()

  init(storage: StationStorage, lastResult: String?, restart: @escaping @Sendable () -> Void) {
    self.storage = storage
    self.lastResult = lastResult
    self.restart = restart
  }

  func snapshots() async throws -> API.Snapshots {
    let found = try await queries.run { [folder = storage.snapshots] in folder.snapshots() }
    return API.Snapshots(snapshots: found.map(Self.item), lastResult: lastResult)
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

  private static func preview(
    _ snapshot: SnapshotFolder.Snapshot, _ database: TachogramDatabase
  ) throws -> API.SnapshotPreview {
    let copy: TachogramDatabase
    do {
      copy = try TachogramDatabase.openCopy(path: snapshot.path)
    } catch {
      return API.SnapshotPreview(snapshot: item(snapshot), problem: error.description)
    }
    defer { try? copy.close() }
    do throws(RepositoryError) {
      let findings = try copy.checkIntegrity() + copy.checkSchema()
      if let finding = findings.first { return API.SnapshotPreview(snapshot: item(snapshot), problem: finding) }
    } catch {
      return API.SnapshotPreview(snapshot: item(snapshot), problem: error.description)
    }
    // A snapshot of an older version is brought up to date when the station opens it.
    guard let kept = try? SessionRepository(database: copy).sessions() else {
      return API.SnapshotPreview(snapshot: item(snapshot), problem: nil)
    }
    let known = Set(kept.map(\.description.id))
    let missing = try SessionRepository(database: database).sessions().filter { !known.contains($0.description.id) }
    return API.SnapshotPreview(
      snapshot: item(snapshot), problem: nil, sessions: kept.count, last: kept.map(\.end).max(),
      missing: missing.count, firstMissing: missing.map(\.description.start).min(),
      lastMissing: missing.map(\.end).max())
  }
}
