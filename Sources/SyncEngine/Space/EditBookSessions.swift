import Sync
import TachogramCore

extension EditBook {
  /// Removes the values of markers that are in sessions which some of `edits` delete. Returns the values that hold now in place of
  /// these: a marker is also in another session, as when one station merged it into one, and another station into another.
  @discardableResult
  mutating func forgetMarkers(of edits: [Edit]) -> [Edit] {
    let sessions = Set(edits.filter { $0.change == .delete && $0.target.kind == .session }.map(\.target.id))
    if sessions.isEmpty { return [] }
    return targets(.marker).compactMap { target in
      forget(.marker, of: target) { edit in edit.markedSession.map(sessions.contains) ?? false }
    }
  }

  /// Whether an edit puts a marker into a session that is deleted.
  func isOfDeletedSession(_ edit: Edit) -> Bool {
    edit.markedSession.map { deleted[EditTarget(kind: .session, id: $0)] != nil } ?? false
  }

  /// The time of the last derivation of a session that is known, or `nil` if it was derived once.
  func derivation(of session: String) -> WallTime? {
    value(.levels, of: EditTarget(kind: .session, id: session)).flatMap { Int64($0) }.map(WallTime.init(microseconds:))
  }

  /// The number of entries that a session keeps after it was split, or `nil` if it was not. Of several since it was whole again, the
  /// least holds, in whatever order stations learn of them.
  func entryCount(of session: EditTarget) -> Int64? {
    guard let history = history(.entryCount, of: session) else { return nil }
    let edits = history.edits.sorted { $0.time < $1.time }
    let whole = edits.lastIndex { $0.change == .set(.entryCount, nil) }.map { $0 + 1 } ?? 0
    return edits[whole...].compactMap { edit -> Int64? in
      guard case .set(_, let value?) = edit.change, let count = Int64(value), count > 0 else { return nil }
      return count
    }.min()
  }
}

extension Edit {
  /// The session into which it puts a marker, or `nil` for another edit.
  fileprivate var markedSession: String? {
    guard case .set(.marker, let text?) = change else { return nil }
    return MarkerValue(text: text)?.session
  }
}
