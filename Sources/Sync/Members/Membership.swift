/// The members, epochs and generation of a space, as a set of records determines them.
package struct Membership: Sendable {
  /// The maximum number of records. A space with more members and changes must be replaced by a new one.
  package static let mostRecords = 1024

  package let space: SpaceID
  /// The current members.
  package let members: [StationID: Member]
  /// The former members.
  package let removed: [StationID: RemovedMember]
  /// The current epoch, to whose key chunks are sealed.
  package let currentEpoch: EpochPublicKey
  /// All public keys of epochs by number. Epochs that began at the same time have the same number.
  package let epochs: [UInt32: [EpochPublicKey]]
  /// The number of resets.
  package let generation: UInt32
  /// The first epoch of the current generation. Chunks of earlier epochs are deleted data.
  package let firstEpoch: UInt32
  /// Whether a new epoch must begin, because a former reader knows the current key or a reader does not.
  package let needsNewEpoch: Bool
  /// The last valid records, ascending. Forged records are not among them, so that no record descends from one.
  package let heads: [ContentDigest]
  /// Records that members refer to and that are not there.
  package let missing: Set<ContentDigest>
  /// Records without effect: those of authors without the right to them, or whose authors were removed at the same time.
  package let ignored: [ContentDigest]
  private let known: Set<ContentDigest>
  private let effective: [MemberRecord]

  /// Determines the membership of a space by its records, in any order.
  package init(space: SpaceID, records: [MemberRecord]) throws(MembershipFailure) {
    guard records.count <= Self.mostRecords else { throw .tooManyRecords(limit: Self.mostRecords) }
    let graph = try MemberRecordGraph(space: space, records)
    let resolver = MembershipResolver(graph)
    let places = graph.records.indices.filter { resolver.hasEffect[$0] }
    guard places.first == 0 else { throw .noFoundingRecord }
    var members: [StationID: Member] = [:]
    var lastSequences: [StationID: UInt64] = [:]
    var epochs: [UInt32: [EpochPublicKey]] = [:]
    var (generation, firstEpoch): (UInt32, UInt32) = (0, 1)
    var current = 0
    for place in places {
      let change = graph.records[place].change
      for member in change.added where members[member.id] == nil { members[member.id] = member }
      if case .remove(let id, let last) = change { lastSequences[id] = max(last, lastSequences[id] ?? 0) }
      if let key = change.announcement?.publicKey {
        epochs[key.epoch, default: []].append(key)
        let last = graph.records[current].change.announcement?.publicKey.epoch ?? 0
        let isSenior = key.epoch == last && resolver.rank(of: place) < resolver.rank(of: current)
        if key.epoch > last || isSenior { current = place }
      }
      if case .reset(let number, let epoch) = change, number > generation {
        (generation, firstEpoch) = (number, epoch.publicKey.epoch)
      }
    }
    self.space = space
    self.members = members.filter { lastSequences[$0.key] == nil }
    removed = members.reduce(into: [:]) { removed, member in
      removed[member.key] = lastSequences[member.key].map { RemovedMember(member: member.value, lastSequence: $0) }
    }
    guard let epoch = graph.records[current].change.announcement?.publicKey else { throw .noFoundingRecord }
    currentEpoch = epoch
    self.epochs = epochs
    self.generation = generation
    self.firstEpoch = firstEpoch
    needsNewEpoch = Self.needsNewEpoch(graph, places, current, members)
    let valid = graph.records.indices.filter { resolver.isValid[$0] }.map { graph.records[$0] }
    let parents = Set(valid.flatMap(\.parents))
    heads = valid.map(\.digest).filter { !parents.contains($0) }.sorted()
    let present = Set(records.map(\.digest))
    missing = Set(
      graph.waiting.filter(resolver.isSigned).flatMap(\.parents).filter { !present.contains($0) })
    ignored = graph.records.indices.filter { !resolver.hasEffect[$0] }.map { graph.records[$0].digest }
    known = Set(valid.map(\.digest))
    effective = places.map { graph.records[$0] }
  }

  /// Whether a reader was removed, or added without the key, by a record that the record of the current epoch does not descend
  /// from.
  private static func needsNewEpoch(
    _ graph: MemberRecordGraph, _ places: [Int], _ current: Int, _ members: [StationID: Member]
  ) -> Bool {
    places.contains { place in
      guard place != current, !graph.ancestors[current].contains(place) else { return false }
      switch graph.records[place].change {
      case .remove(let id, _): return members[id]?.role.canRead ?? false
      // A record that adds a reader contains the keys of all epochs that its author had seen.
      case .add(let member, _): return member.role.canRead && !graph.ancestors[place].contains(current)
      case .found, .epoch, .reset: return false
      }
    }
  }

  // MARK: - Reading

  /// Returns the public keys of a member or a former member.
  package func identity(of station: StationID) -> StationIdentity? {
    (members[station] ?? removed[station]?.member)?.identity
  }

  /// Returns whether a valid record is there.
  package func contains(_ digest: ContentDigest) -> Bool { known.contains(digest) }

  /// Returns the verifier of the log of a station.
  package func verifier(of station: StationID) -> LogVerifier {
    LogVerifier(
      space: space, author: identity(of: station), lastSequence: removed[station]?.lastSequence)
  }

  /// Returns the private keys of epochs that are sealed to a member. Throws if one is not that of the space.
  package func epochKeys(of keys: StationKeys) throws(MembershipFailure) -> [EpochKey] {
    var found: [EpochKey] = []
    for record in effective {
      let sealed: [SealedEpochKeys]
      switch record.change {
      case .found(_, _, let epoch), .epoch(let epoch), .reset(_, let epoch): sealed = epoch.sealed
      case .add(_, let keys): sealed = keys.map { [$0] } ?? []
      case .remove: sealed = []
      }
      for box in sealed where box.recipient == keys.id {
        for key in box.open(with: keys, author: record.author) ?? []
        where !found.contains(where: { $0.publicKey == key.publicKey }) {
          try check(key)
          found.append(key)
        }
      }
    }
    return found
  }

  /// Checks that a private key is that of an epoch of the space.
  package func check(_ key: EpochKey) throws(MembershipFailure) {
    guard epochs[key.epoch]?.contains(key.publicKey) ?? false else { throw .wrongEpochKey(epoch: key.epoch) }
  }

  /// Checks, before anything is uploaded, that a station is a member, that the keys it holds are those of the space, and that the
  /// space was not reset since the station saw `generation`. After a reset, a station asks a person instead of uploading again.
  package func checkUpload(by keys: StationKeys, generation seen: UInt32) throws(MembershipFailure) {
    guard members[keys.id] != nil else { throw .notMember(keys.id) }
    guard seen >= generation else { throw .wasReset(generation: generation) }
    _ = try epochKeys(of: keys)
  }
}
