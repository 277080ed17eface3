import Dashboard
import Synchronization
import TachogramCore

/// Changes of sessions, kept in memory. Splitting and merging change nothing.
package final class FakeSessionEdits: SessionEditBackend {
  private struct State {
    var edits: [String: SessionEdit] = [:]
    var markers: [String: [API.Marker]] = [:]
    var count = 0
  }

  private let state = Mutex(State())
  private let find: @Sendable (String) async throws -> API.Session
  private let note: @Sendable (String) throws -> Void

  /// Creates changes. `find` returns a session or throws, and `note` is called with each call in words.
  package init(
    find: @escaping @Sendable (String) async throws -> API.Session,
    note: @escaping @Sendable (String) throws -> Void = { _ in },
  ) {
    (self.find, self.note) = (find, note)
  }

  /// Returns a session with the changes so far.
  package func edited(_ session: API.Session) -> API.Session {
    var session = session
    let edit = state.withLock { $0.edits[session.id] }
    if let person = edit?.person { session.person = person }
    if let label = edit?.label { session.label = label }
    if let note = edit?.note { session.note = note }
    return session
  }

  package func change(session id: String, _ edit: SessionEdit) async throws -> API.Session {
    let session = try await find(id)
    try note(
      "edit \(edit.person.map { $0 ?? "null" } ?? "-") \(edit.label.map { $0 ?? "null" } ?? "-") "
        + "\(edit.note.map { $0 ?? "null" } ?? "-")")
    state.withLock { state in
      var all = state.edits[id] ?? SessionEdit()
      if edit.person != nil { all.person = edit.person }
      if edit.label != nil { all.label = edit.label }
      if edit.note != nil { all.note = edit.note }
      state.edits[id] = all
    }
    return edited(session)
  }

  package func markers(of id: String) async throws -> [API.Marker] {
    _ = try await find(id)
    return state.withLock { $0.markers[id] ?? [] }
  }

  package func mark(session id: String, _ text: String, at time: WallTime?) async throws -> API.Marker {
    let session = try await find(id)
    try note("mark \(text) \(time.map { Timestamp.text($0) } ?? "now")")
    return state.withLock { state in
      state.count += 1
      let digits = String(state.count)
      let marker = API.Marker(
        id: "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits,
        time: time.map { Timestamp.text($0) } ?? session.end, text: text)
      state.markers[id, default: []].append(marker)
      return marker
    }
  }

  package func unmark(session id: String, marker: String) async throws {
    _ = try await find(id)
    try note("unmark \(marker)")
    let isDeleted = state.withLock { state in
      let before = state.markers[id]?.count ?? 0
      state.markers[id]?.removeAll { $0.id == marker }
      return (state.markers[id]?.count ?? 0) < before
    }
    guard isDeleted else { throw DashboardError.notFound("there is no marker \(marker).") }
  }

  package func split(session id: String, at time: WallTime) async throws -> [API.Session] {
    let session = try await find(id)
    try note("split \(Timestamp.text(time))")
    return [session, session]
  }

  package func merge(session id: String, with other: String) async throws -> API.Session {
    _ = try await find(other)
    try note("merge \(other)")
    return try await find(id)
  }
}
