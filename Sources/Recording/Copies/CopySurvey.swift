import TachogramCore

/// The stored sessions that are copies of others.
package struct CopySurvey: Sendable {
  /// A session that is kept, and its copies.
  package struct Group: Sendable {
    package let kept: SessionRecord
    package let copies: [SessionRecord]
    /// The number of beats of a copy that the session kept in its place lacks, by the identifier of the copy. Copies without
    /// such beats are omitted.
    package let lacking: [String: Int]

    /// The person of the session after its copies are merged: its own, or else that of the first copy that has one.
    package var person: String? { first(\.description.person) }
    /// The label of the session after its copies are merged: its own, or else that of the first copy that has one.
    package var label: String? { first(\.description.label) }

    private func first(_ value: (SessionRecord) -> String?) -> String? {
      value(kept) ?? copies.lazy.compactMap(value).first
    }
  }

  /// Two sessions with common beats, neither of which contains the other at the precision of the other.
  package struct Overlap: Sendable {
    package let sessions: (SessionRecord, SessionRecord)
    package let beats: Int
  }

  /// The sessions by their identifiers, and for each copy the session that is kept in its place, which may be a copy itself.
  private var records: [String: SessionRecord] = [:]
  private var keepers: [String: String] = [:]
  private var lacking: [String: Int] = [:]
  private var order: [String] = []
  private var partial: [Overlap] = []

  init() {}

  mutating func add(copy: SessionRecord, of kept: SessionRecord, lacking beats: Int) {
    let (id, keeper) = (copy.description.id, root(of: kept.description.id))
    (records[id], records[kept.description.id]) = (copy, kept)
    // A copy of a copy is a copy of the kept session.
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

  /// The sessions that have copies, in the order in which the copies were found.
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

  /// The pairs of kept sessions that overlap.
  package var overlaps: [Overlap] {
    partial.filter { overlap in
      [overlap.sessions.0, overlap.sessions.1].allSatisfy { keepers[$0.description.id] == nil }
    }
  }
}
