/// The records of a space in an order that is the same on every station: each after its parents, ties by digest.
struct MemberRecordGraph: Sendable {
  let records: [MemberRecord]
  /// The places of the records that a record descends from.
  let ancestors: [BitSet]
  /// The records that descend from others that are not there.
  let waiting: [MemberRecord]

  /// Orders records. Records of other spaces are left out.
  init(space: SpaceID, _ all: [MemberRecord]) throws(MembershipFailure) {
    var waiting: [ContentDigest: MemberRecord] = [:]
    for record in all {
      let isFounding = record.space == nil && record.digest == space.digest && record.parents.isEmpty
      guard isFounding || record.space == space && !record.parents.isEmpty else { continue }
      waiting[record.digest] = record
    }
    guard waiting[space.digest] != nil else { throw .noFoundingRecord }
    var (ordered, places): ([MemberRecord], [ContentDigest: Int]) = ([], [:])
    var open = waiting.mapValues { Set($0.parents).count }
    var children: [ContentDigest: [ContentDigest]] = [:]
    for (digest, record) in waiting { for parent in record.parents { children[parent, default: []].append(digest) } }
    var ready = [space.digest]
    while let next = ready.min(), let record = waiting[next] {
      ready.removeAll { $0 == next }
      places[next] = ordered.count
      ordered.append(record)
      for child in children[next] ?? [] {
        open[child, default: 0] -= 1
        if open[child] == 0 { ready.append(child) }
      }
    }
    var ancestors: [BitSet] = []
    for record in ordered {
      var set = BitSet(count: ordered.count)
      for parent in record.parents.compactMap({ places[$0] }) {
        set.insert(parent)
        set.formUnion(ancestors[parent])
      }
      ancestors.append(set)
    }
    records = ordered
    self.ancestors = ancestors
    self.waiting = waiting.values.filter { places[$0.digest] == nil }
  }
}
