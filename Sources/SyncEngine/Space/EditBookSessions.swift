import Sync
import TachogramCore

extension EditBook {
  /// Removes the markers of sessions that are deleted by some of `edits`.
  mutating func forgetMarkers(of edits: [Edit]) {
    let sessions = Set(edits.filter { $0.change == .delete && $0.target.kind == .session }.map(\.target.id))
    if sessions.isEmpty { return }
    forget(
      targets(.marker).filter { target in
        guard let text = value(.marker, of: target), let value = MarkerValue(text: text) else { return false }
        return sessions.contains(value.session)
      })
  }

  /// The time of the last derivation of a session that is known, or `nil` if it was derived once.
  func derivation(of session: String) -> WallTime? {
    value(.levels, of: EditTarget(kind: .session, id: session)).flatMap { Int64($0) }.map(WallTime.init(microseconds:))
  }

  /// The number of entries that a session keeps after it was split, or `nil` if it was not. Of several since it was whole again, the
  /// least holds, in whatever order stations learn of them.
  func entryCount(of session: EditTarget) -> Int64? {
    guard let history = history(.entryCount, of: session) else { return nil }
    let edits = ([history.winner] + history.losing).sorted { $0.time < $1.time }
    let whole = edits.lastIndex { $0.change == .set(.entryCount, nil) }.map { $0 + 1 } ?? 0
    return edits[whole...].compactMap { edit -> Int64? in
      guard case .set(_, let value?) = edit.change, let count = Int64(value), count > 0 else { return nil }
      return count
    }.min()
  }
}
