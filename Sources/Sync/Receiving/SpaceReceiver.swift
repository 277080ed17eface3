/// Receives what the members of a space wrote: verifies logs, opens chunks, and pins the heads that others have seen.
package struct SpaceReceiver: SpaceReceiving {
  private let keys: StationKeys
  private var epochKeys: [EpochKey]
  package private(set) var membership: Membership
  /// The verified logs by their author.
  package private(set) var logs: [StationID: VerifiedLog]
  /// The chunks to be read again, by their author: their epoch, or what they continue, is not known yet.
  package private(set) var unopened: [StationID: Set<UInt64>] = [:]

  /// Creates a receiver. Throws if a sealed private key is not that of the space.
  package init(
    membership: Membership, keys: StationKeys, logs: [StationID: VerifiedLog] = [:],
    unopened: [StationID: Set<UInt64>] = [:]
  ) throws(MembershipFailure) {
    self.keys = keys
    self.membership = membership
    self.logs = logs
    self.unopened = unopened
    epochKeys = try membership.epochKeys(of: keys)
  }

  /// Replaces the membership after new member records.
  package mutating func update(_ membership: Membership) throws(MembershipFailure) {
    epochKeys = try membership.epochKeys(of: keys)
    self.membership = membership
  }

  /// Pins heads that another member has seen, as those of a reply to joining.
  package mutating func pin(_ heads: [LogHead], by witness: StationID) {
    for head in heads where membership.identity(of: head.station) != nil {
      logs[head.station, default: VerifiedLog(station: head.station)].pin(head, by: witness)
    }
  }

  /// The heads of all other logs, of which each own chunk carries those that are new.
  package var heads: [LogHead] {
    logs.values.compactMap(\.head).filter { $0.station != keys.id }.sorted { $0.station < $1.station }
  }

  /// The heads of other logs that are later than those that the own log carried before. Others keep the last one of each log, so
  /// that repeating equal ones would only make chunks of large spaces longer.
  package func heads(after carried: [StationID: UInt64]) -> [LogHead] {
    heads.filter { $0.sequence > carried[$0.station] ?? 0 }
  }

  /// The findings about all logs. A sensor cannot read which bodies an author deleted, so it does not report absent ones.
  package var findings: [LogFinding] {
    let all = logs.values.sorted { $0.station < $1.station }.flatMap(\.findings)
    return canRead ? all : all.filter { $0.kind != .absentBody }
  }

  private var canRead: Bool { membership.members[keys.id]?.role.canRead ?? false }

  /// The chunks of a log to read individually, because they are not new: absent bodies and unknown epochs.
  package func wanted(of station: StationID) -> SequenceRanges {
    (logs[station]?.absentBodies ?? SequenceRanges()).union(SequenceRanges(numbers: unopened[station] ?? []))
  }

  /// Reads a chunk again with the next ones, because what it continues was not there.
  package mutating func holdBack(_ sequence: UInt64, of station: StationID) {
    unopened[station, default: []].insert(sequence)
  }

  /// Changes what is known of a log, as when a person accepts a restored store.
  package mutating func changeLog(of station: StationID, _ body: (inout VerifiedLog) -> Void) {
    body(&logs[station, default: VerifiedLog(station: station)])
  }

  // MARK: - Receiving

  package var receiver: SpaceReceiver {
    get { self }
    _modify { yield &self }
  }

  /// Receives chunks of a log. `isWhole` is whether they, or the places in `listed`, are all that the store has after the
  /// `listingStart` of the log.
  package mutating func receive(
    _ chunks: [StoredChunk], of station: StationID, isWhole: Bool, listed: Set<UInt64>? = nil
  ) -> Received {
    // Moved, not copied: the log is changed in place.
    var log = logs.removeValue(forKey: station) ?? VerifiedLog(station: station)
    log.firstEpoch = membership.firstEpoch
    let verified = membership.verifier(of: station).verify(chunks, isWhole: isWhole, listed: listed, into: &log)
    var received = Received(changed: verified.changed, findings: verified.findings)
    guard membership.identity(of: station) != nil else {
      logs[station] = log
      return received
    }
    var waiting = unopened[station] ?? []
    var again: [Envelope] = []
    for chunk in chunks where waiting.contains(chunk.sequence) {
      guard let envelope = try? Envelope(bytes: chunk.bytes),
        envelope.header.digest == log.links[chunk.sequence]?.digest,
        envelope.body.map(envelope.header.matches) ?? false
      else { continue }
      again.append(envelope)
    }
    waiting.subtract(again.map(\.header.sequence))
    var problems: [LogFinding.Kind: [UInt64]] = [:]
    for envelope in again + verified.accepted where envelope.body != nil {
      if let problem = open(envelope, of: station, log: &log, into: &received) {
        problems[problem, default: []].append(envelope.header.sequence)
        if problem == .unknownEpoch { waiting.insert(envelope.header.sequence) }
      }
    }
    received.changed += again.map(\.header.sequence)
    unopened[station] = waiting.isEmpty ? nil : waiting
    logs[station] = log
    for kind in LogFinding.Kind.allCases {
      guard let numbers = problems[kind] else { continue }
      let places = SequenceRanges(numbers: numbers)
      let witness = kind == .withheldMembers ? station : nil
      received.findings.append(LogFinding(kind, of: station, places, since: log.since(places), witness: witness))
    }
    for item in received.chunks { pin(item.chunk.heads, by: station) }
    return received
  }

  /// Opens a chunk. Returns what is wrong with it.
  private func open(
    _ envelope: Envelope, of station: StationID, log: inout VerifiedLog, into received: inout Received
  ) -> LogFinding.Kind? {
    guard let author = membership.identity(of: station) else { return .unknownStation }
    let (epoch, sequence) = (envelope.header.epoch, envelope.header.sequence)
    var content: [UInt8]?
    if epoch == EnvelopeHeader.memberEpoch {
      content = try? EnvelopeSealer.open(envelope, from: author, with: keys)
      if content == nil {
        received.unreadableByRoleCount += 1
        return nil
      }
    } else if epoch < membership.firstEpoch {
      received.earlierGenerationCount += 1
      return nil
    } else if membership.epochs[epoch] == nil {
      return .unknownEpoch
    } else if !canRead {
      received.unreadableByRoleCount += 1
      return nil
    } else {
      // Epochs that began at the same time have the same number.
      for key in epochKeys where key.epoch == epoch && content == nil {
        content = try? EnvelopeSealer.open(envelope, from: author, with: key)
      }
    }
    guard let content, let chunk = try? Chunk(bytes: content) else { return .unreadable }
    log.setSealed(chunk.sealed, of: sequence)
    if case .unknown = chunk.kind { received.unknownKindCount += 1 }
    if chunk.kind == .edit {
      guard let edits = try? EditChunkCodec.decode(chunk.payload, author: station) else { return .unreadable }
      log.addDeletedBodies(edits.deletedBodies)
    }
    received.chunks.append(ReceivedChunk(header: envelope.header, chunk: chunk))
    return chunk.memberHeads.allSatisfy(membership.contains) ? nil : .withheldMembers
  }
}
