/// Verifies what a store returns for one log. The order of chunks and copies of equal chunks do not matter.
package struct LogVerifier: Sendable {
  /// What a listing contains.
  package struct Result: Sendable {
    /// The new chunks whose headers, and bodies if they are not deleted, are verified, in the order of the log.
    package var accepted: [Envelope] = []
    /// The places of the log whose stored facts changed.
    package var changed: [UInt64] = []
    package var findings: [LogFinding] = []
  }

  package let space: SpaceID
  /// The public keys of the author, or `nil` if it is not a member.
  package let author: StationIdentity?
  /// The last chunk that was accepted when the author was removed, or `nil` if it is a member.
  package let lastSequence: UInt64?

  package init(space: SpaceID, author: StationIdentity?, lastSequence: UInt64? = nil) {
    self.space = space
    self.author = author
    self.lastSequence = lastSequence
  }

  /// Verifies a listing of the chunks after `log.listingStart`, and adds them to `log`. `isWhole` is whether the store reported
  /// the end of the log, so that what the log has beyond the listing is no longer in the store. `listed` are the places of the
  /// listing, if the chunks are only a part of it.
  package func verify(
    _ chunks: [StoredChunk], isWhole: Bool, listed: Set<UInt64>? = nil, into log: inout VerifiedLog
  ) -> Result {
    var result = Result()
    let station = log.station
    guard let author, author.id == station else {
      if !chunks.isEmpty {
        result.findings = [LogFinding(.unknownStation, of: station, SequenceRanges(numbers: chunks.map(\.sequence)))]
      }
      return result
    }
    var problems: [LogFinding.Kind: [UInt64]] = [:]
    var present = listed ?? []
    let before = isWhole ? log.places(after: log.listingStart) : []
    for chunk in chunks.sorted(by: { $0.sequence < $1.sequence }) {
      present.insert(chunk.sequence)
      guard let envelope = try? Envelope(bytes: chunk.bytes) else {
        problems[.damaged, default: []].append(chunk.sequence)
        continue
      }
      let isKnown = log.links[chunk.sequence]?.digest == envelope.header.digest
      let problem = problem(of: envelope, at: chunk.sequence, author)
      if let problem { problems[problem, default: []].append(chunk.sequence) }
      // The header of a swapped body is authentic, and the chain continues.
      guard problem == nil || problem == .swappedBody else { continue }
      let hasBody = problem == nil && envelope.body != nil
      if !log.add(envelope.header) {
        problems[.forked, default: []].append(chunk.sequence)
      } else if !isKnown || hasBody && log.withoutBody.contains(chunk.sequence) {
        log.setHasBody(hasBody, of: chunk.sequence)
        result.changed.append(chunk.sequence)
        if problem == nil { result.accepted.append(envelope) }
      }
    }
    if isWhole {
      let gone = before.filter { !present.contains($0) && !log.acceptedLoss.contains($0) }
      if !gone.isEmpty { problems[.rolledBack] = gone }
    }
    for kind in LogFinding.Kind.allCases {
      guard let numbers = problems[kind] else { continue }
      let places = SequenceRanges(numbers: numbers)
      result.findings.append(LogFinding(kind, of: station, places, since: log.since(places)))
    }
    return result
  }

  private func problem(
    of envelope: Envelope, at sequence: UInt64, _ author: StationIdentity
  ) -> LogFinding.Kind? {
    let header = envelope.header
    if header.space != space { return .otherSpace }
    if header.station != author.id || header.sequence != sequence { return .misplaced }
    if !header.isSigned(by: author) { return .wrongSignature }
    if let lastSequence, sequence > lastSequence { return .removedStation }
    if let body = envelope.body, !header.matches(body) { return .swappedBody }
    return nil
  }
}
