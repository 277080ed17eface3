import Sync

/// A session of which only the first entries are kept, because the others belong to another session since it was split. As the
/// target of a change in the database: the session and the number of entries, in a line each.
struct CutSession: Hashable {
  let session: String
  let entryCount: Int64

  init?(text: String) {
    let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int64(parts[1]), count > 0 else { return nil }
    (session, entryCount) = (String(parts[0]), count)
  }

  var target: EditTarget { EditTarget(kind: .session, id: session) }
  var change: Edit.Change { .set(.entryCount, String(entryCount)) }
}

extension Edit {
  /// Whether it says how many entries a session keeps.
  var isCut: Bool { if case .set(.entryCount, _) = change { true } else { false } }
}
