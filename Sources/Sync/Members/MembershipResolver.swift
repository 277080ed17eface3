/// Decides which records of a graph have effect. The result depends only on the records, not on the order of their arrival.
///
/// - A record is valid if its author had added rights, and was not removed, in what the author had seen.
/// - Removal wins: a valid record has no effect if its author is removed by a record that does not descend from it.
/// - Of members that remove each other, the one that was added earlier stays; the recovery member is the first of all. A thief
///   with a copied card cannot retaliate with records that pretend to be older than its removal.
struct MembershipResolver {
  private let graph: MemberRecordGraph
  private let added: [[Member]]
  private let removed: [StationID?]
  /// The place of the first valid record that adds a station: its seniority.
  private var seniority: [StationID: Int] = [:]
  private var identities: [StationID: Member] = [:]
  /// Whether the author of a record had the right to it, as far as it had seen. A record that is not valid may be a forgery.
  private(set) var isValid: [Bool]
  /// Whether a record has effect.
  private(set) var hasEffect: [Bool]

  init(_ graph: MemberRecordGraph) {
    self.graph = graph
    added = graph.records.map(\.change.added)
    removed = graph.records.map(\.change.removed)
    isValid = [Bool](repeating: false, count: graph.records.count)
    hasEffect = isValid
    for place in graph.records.indices {
      isValid[place] = checkValid(place)
      guard isValid[place] else { continue }
      for member in added[place] where seniority[member.id] == nil {
        seniority[member.id] = member.role == .recovery ? -1 : place
        identities[member.id] = member
      }
    }
    var removals = winningRemovals()
    while true {
      hasEffect = effects(of: removals)
      let rest = removals.filter { hasEffect[$0] }
      if rest.count == removals.count { return }
      removals = rest
    }
  }

  /// Returns the seniority of the author of a record; smaller is earlier.
  func rank(of place: Int) -> Int { seniority[graph.records[place].author] ?? .max }

  /// Whether a record is signed by a station that is or was a member.
  func isSigned(_ record: MemberRecord) -> Bool {
    identities[record.author].map { record.isSigned(by: $0.identity) } ?? false
  }

  // MARK: - What the author had seen

  private func checkValid(_ place: Int) -> Bool {
    let record = graph.records[place]
    let seen = graph.records.indices.filter { $0 < place && isValid[$0] && graph.ancestors[place].contains($0) }
    let changes = seen.map { graph.records[$0].change }
    if case .found(let founder, let recovery, let epoch) = record.change {
      return place == 0 && founder.id != recovery.id && record.isSigned(by: founder) && epoch.publicKey.epoch == 1
    }
    let members = seen.flatMap { added[$0] }
    guard place > 0, let author = members.first(where: { $0.id == record.author }), author.role.canRead,
      !seen.contains(where: { removed[$0] == author.id }), record.isSigned(by: author.identity)
    else { return false }
    let lastEpoch = changes.compactMap(\.announcement?.publicKey.epoch).max() ?? 0
    switch record.change {
    case .found: return false
    // A station that was removed comes back with new keys only.
    case .add(let member, _): return !members.contains { $0.id == member.id }
    case .remove(let id, _):
      guard let target = members.first(where: { $0.id == id }) else { return false }
      return target.role != .recovery || id == author.id
    case .epoch(let epoch): return epoch.publicKey.epoch == lastEpoch + 1
    case .reset(let generation, let epoch):
      return generation == (changes.compactMap(\.generation).max() ?? 0) + 1 && epoch.publicKey.epoch == lastEpoch + 1
    }
  }

  // MARK: - What others did at the same time

  /// The valid removals that no removal of an earlier member prevents.
  private func winningRemovals() -> [Int] {
    let removals = graph.records.indices.filter { isValid[$0] && removed[$0] != nil }
    var winning: [Int] = []
    for place in removals.sorted(by: { (rank(of: $0), $0) < (rank(of: $1), $1) })
    where !isPrevented(place, by: winning) { winning.append(place) }
    return winning
  }

  /// Whether a removal among `removals` removes the author of a record without descending from it.
  private func isPrevented(_ place: Int, by removals: [Int]) -> Bool {
    let author = graph.records[place].author
    return removals.contains { removal in
      removal != place && removed[removal] == author && !graph.ancestors[removal].contains(place)
    }
  }

  private func effects(of removals: [Int]) -> [Bool] {
    var hasEffect = [Bool](repeating: false, count: graph.records.count)
    for place in graph.records.indices where isValid[place] {
      let record = graph.records[place]
      let isAuthorAdded =
        place == 0
        || graph.records.indices.contains { earlier in
          earlier < place && hasEffect[earlier] && graph.ancestors[place].contains(earlier)
            && added[earlier].contains { $0.id == record.author }
        }
      let isRemoval = removed[place] != nil
      hasEffect[place] = isAuthorAdded && (isRemoval ? removals.contains(place) : !isPrevented(place, by: removals))
    }
    return hasEffect
  }
}

extension MemberChange {
  /// The member that is removed, or `nil` for other changes.
  var removed: StationID? { if case .remove(let id, _) = self { id } else { nil } }

  /// The new generation, or `nil` for other changes.
  var generation: UInt32? { if case .reset(let generation, _) = self { generation } else { nil } }
}
