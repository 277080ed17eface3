import TachogramCore

/// Which stored sessions are copies of others.
package struct CopySurvey: Sendable {
  /// A session that is kept, and its copies.
  package struct Group: Sendable {
    package let kept: SessionRecord
    package let copies: [SessionRecord]
    /// How many beats of a copy the session lacks in whose favour it is deleted, by the identifier of the copy; only where it
    /// lacks any.
    package let lacking: [String: Int]

    /// The person of the session when its copies are merged into it: its own, or else that of the first copy that has one.
    package var person: String? { first(\.description.person) }
    /// Its label then, likewise.
    package var label: String? { first(\.description.label) }

    private func first(_ value: (SessionRecord) -> String?) -> String? {
      value(kept) ?? copies.lazy.compactMap(value).first
    }
  }

  /// Two sessions with beats in common, of which neither holds the other as precisely as that one is.
  package struct Overlap: Sendable {
    package let sessions: (SessionRecord, SessionRecord)
    package let beats: Int
  }

  /// Sessions by their identifiers, and of each copy the session that is kept in its place, which may be a copy itself.
  private var records: [String: SessionRecord] = [:]
  private var keepers: [String: String] = [:]
  private var lacking: [String: Int] = [:]
  private var order: [String] = []
  private var partial: [Overlap] = []

  init() {}

  mutating func add(copy: SessionRecord, of kept: SessionRecord, lacking beats: Int) {
    let (id, keeper) = (copy.description.id, root(of: kept.description.id))
    (records[id], records[kept.description.id]) = (copy, kept)
    // A copy of a copy is one of what is kept.
    guard root(of: id) == id, keeper != id else { return }
    keepers[id] = keeper
    if beats > 0 { lacking[id] = beats }
    order.append(id)
  }

  mutating func add(overlap beats: Int, of one: SessionRecord, and two: SessionRecord) {
    partial.append(Overlap(sessions: (one, two), beats: beats))
  }

  private func root(of id: String) -> String {
    var id = id
    while let keeper = keepers[id] { id = keeper }
    return id
  }

  /// The sessions that have copies, in the order in which these were found.
  package var groups: [Group] {
    var copies: [String: [SessionRecord]] = [:]
    var kept: [String] = []
    for id in order {
      let keeper = root(of: id)
      if copies[keeper] == nil { kept.append(keeper) }
      if let record = records[id] { copies[keeper, default: []].append(record) }
    }
    return kept.compactMap { id in
      records[id].map { kept in
        let copies = copies[id] ?? []
        let ids = Set(copies.map(\.description.id))
        return Group(kept: kept, copies: copies, lacking: lacking.filter { ids.contains($0.key) })
      }
    }
  }

  /// Pairs that overlap, of sessions that are kept.
  package var overlaps: [Overlap] {
    partial.filter { overlap in
      [overlap.sessions.0, overlap.sessions.1].allSatisfy { keepers[$0.description.id] == nil }
    }
  }
}
