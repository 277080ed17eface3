import Dashboard
import Presentation
import Recording
import Repository
import TachogramCore

/// Changes stored sessions for the page.
struct StationSessionEdits: SessionEditBackend {
  let storage: StationStorage
  let hub: LiveHub
  /// The recorder, or `nil` if nothing is recorded.
  let recorder: LiveRecorder?
  /// The identifier of this installation, or `nil` if it has none.
  let deviceID: String?
  private let queries = QueryQueue()

  init(storage: StationStorage, hub: LiveHub, recorder: LiveRecorder?, deviceID: String?) {
    self.storage = storage
    self.hub = hub
    self.recorder = recorder
    self.deviceID = deviceID
  }

  func change(session id: String, _ edit: SessionEdit) async throws -> API.Session {
    if edit.person != nil, hub.running.contains(id) {
      throw DashboardError(.conflict, "the session is being recorded; change its person when it has ended.")
    }
    defer { if edit.person != nil { storage.usual.forget() } }
    return try await change(id) { database in
      try AnnotationRepository(database: database).change(id, edit)
      return try Self.session(id, in: database, hub.running)
    }
  }

  func markers(of id: String) async throws -> [API.Marker] {
    try await change(id) { database in
      let session = try HistoryRepository(database: database).session(id).record.description
      return try SessionRepository(database: database).markers(of: id).map { API.Marker($0, of: session) }
    }
  }

  func mark(session id: String, _ text: String, at time: WallTime?) async throws -> API.Marker {
    let now = storage.time.now().wall
    let time = time ?? now
    return try await change(id) { database in
      let session = try HistoryRepository(database: database).session(id).record.description
      return API.Marker(try AnnotationRepository(database: database).mark(id, at: time, now: now, text), of: session)
    }
  }

  func unmark(session id: String, marker: String) async throws {
    try await change(id) { database in try AnnotationRepository(database: database).unmark(id, marker) }
  }

  func split(session id: String, at time: WallTime) async throws -> [API.Session] {
    defer { storage.usual.forget() }
    return try await change(id) { database in
      let record = try HistoryRepository(database: database).session(id).record
      let second = try editor(database).split(record, at: time)
      return try [id, second].map { try Self.session($0, in: database, hub.running) }
    }
  }

  func merge(session id: String, with other: String) async throws -> API.Session {
    defer { storage.usual.forget() }
    return try await change(id) { database in
      let history = HistoryRepository(database: database)
      let merged = try editor(database).merge(history.session(id).record, history.session(other).record)
      return try Self.session(merged, in: database, hub.running)
    }
  }

  private func editor(_ database: TachogramDatabase) -> SessionEditor {
    SessionEditor(
      database: database, keeping: .init(installation: deviceID, restoresAbsent: false), running: hub.running)
  }

  private static func session(
    _ id: String, in database: TachogramDatabase, _ running: Set<String>
  ) throws -> API.Session {
    let straps = try StrapRepository(database: database).straps()
    return SessionNames(names: StrapNames(known: straps))
      .session(try HistoryRepository(database: database).session(id), running)
  }

  /// Calls `body` on the thread of edits, and words its errors for the page.
  private func change<Value: Sendable>(
    _ id: String, _ body: @escaping @Sendable (TachogramDatabase) throws -> Value
  ) async throws -> Value {
    // Running sessions are stored with a delay, to spare the disk.
    if hub.running.contains(id) { await recorder?.commit() }
    let isRunning = hub.running.contains(id)
    return try await queries.run { [database = storage.database] in
      do {
        // A session that is being recorded is in another database then.
        if isRunning { try database.checkWritable() }
        return try body(database)
      } catch let error as SessionEditError {
        throw DashboardError(.conflict, error.description)
      } catch RepositoryError.sessionNotFound(let missing) {
        throw DashboardError.notFound("there is no session \(missing).")
      } catch let error as RepositoryError {
        switch error {
        case .markerNotFound: throw DashboardError.notFound(error.description)
        case .outsideSession: throw DashboardError(.badRequest, error.description)
        default: throw error
        }
      }
    }
  }
}
