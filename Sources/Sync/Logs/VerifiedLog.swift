import TachogramCore

/// What a station has verified of one log: a chain of headers, with holes where chunks are missing.
package struct VerifiedLog: Hashable, Sendable {
  /// The facts that are kept of a chunk.
  package struct Link: Hashable, Sendable {
    package let digest: ContentDigest
    package let previous: ContentDigest
    package let epoch: UInt32
    /// The civil time of the author when it sealed the chunk, or `nil` if the chunk was not opened.
    package var sealed: WallTime?

    package init(digest: ContentDigest, previous: ContentDigest, epoch: UInt32, sealed: WallTime? = nil) {
      (self.digest, self.previous, self.epoch, self.sealed) = (digest, previous, epoch, sealed)
    }
  }

  package let station: StationID
  /// The verified chunks by their sequence.
  package private(set) var links: [UInt64: Link] = [:]
  /// The largest verified sequence, or 0.
  package private(set) var last: UInt64 = 0
  /// The last chunk of the log that each member has seen. The author itself states its own when another station joins.
  package private(set) var pins: [StationID: LogHead] = [:]
  /// The places whose loss a person has accepted.
  package private(set) var acceptedLoss = SequenceRanges()
  /// The places whose header is verified and whose body is absent.
  package private(set) var withoutBody: Set<UInt64> = []
  /// The places whose bodies the author deleted, as its own chunks of edits state.
  package private(set) var deletedBodies = SequenceRanges()
  /// The first epoch of the current generation. Bodies of earlier epochs are deleted.
  package var firstEpoch: UInt32 = 1
  /// The end of the part without holes, so that each listing need not look for holes from the start.
  private var solidCount: UInt64 = 0

  package init(station: StationID) {
    self.station = station
  }

  /// Creates a log from what is stored of it.
  package init(station: StationID, links: [UInt64: Link], withoutBody: Set<UInt64>, state: LogState) {
    self.station = station
    self.links = links
    self.withoutBody = withoutBody
    last = links.keys.max() ?? 0
    pins = state.pins
    acceptedLoss = state.acceptedLoss
    deletedBodies = state.deletedBodies
    advance()
  }

  /// The last verified chunk, or `nil` if there is none.
  package var head: LogHead? {
    links[last].map { LogHead(station: station, sequence: last, digest: $0.digest) }
  }

  /// The sequence after which chunks are listed: one less than that of the last chunk before a hole, so that a store shows
  /// whether it still has that chunk.
  package var listingStart: UInt64 { solidCount == 0 ? 0 : solidCount - 1 }

  /// Adds a chunk whose signature is verified. Returns `false` if it contradicts another chunk, which is a fork.
  package mutating func add(_ header: EnvelopeHeader) -> Bool {
    let (sequence, digest) = (header.sequence, header.digest)
    if let known = links[sequence] { return known.digest == digest }
    guard links[sequence - 1].map({ $0.digest == header.previous }) ?? true,
      links[sequence + 1].map({ $0.previous == digest }) ?? true
    else { return false }
    links[sequence] = Link(digest: digest, previous: header.previous, epoch: header.epoch, sealed: nil)
    last = max(last, sequence)
    advance()
    return true
  }

  /// Returns the verified places after one. The cost is that of the shorter of the log and the places after it.
  func places(after sequence: UInt64) -> [UInt64] {
    guard sequence < last else { return [] }
    if last - sequence < UInt64(links.count) { return ((sequence + 1)...last).filter { links[$0] != nil } }
    return links.keys.filter { $0 > sequence }
  }

  /// Moves the end of the part without holes over chunks and accepted losses.
  private mutating func advance() {
    while solidCount < last {
      if links[solidCount + 1] != nil {
        solidCount += 1
      } else if let lost = acceptedLoss.ranges.first(where: { $0.contains(solidCount + 1) }) {
        solidCount = min(lost.upperBound, last)
      } else {
        return
      }
    }
  }

  /// Stores the time at which the author sealed a verified chunk.
  package mutating func setSealed(_ time: WallTime, of sequence: UInt64) { links[sequence]?.sealed = time }

  /// Stores whether the body of a verified chunk is there.
  package mutating func setHasBody(_ hasBody: Bool, of sequence: UInt64) {
    if hasBody { withoutBody.remove(sequence) } else { withoutBody.insert(sequence) }
  }

  /// Stores that the author deleted bodies.
  package mutating func addDeletedBodies(_ places: SequenceRanges) { deletedBodies = deletedBodies.union(places) }

  /// The places whose bodies are absent, although the author did not delete them and the space was not reset since.
  package var absentBodies: SequenceRanges {
    let absent = withoutBody.filter { place in
      guard let epoch = links[place]?.epoch else { return false }
      return epoch == EnvelopeHeader.memberEpoch || epoch >= firstEpoch
    }
    return SequenceRanges(numbers: absent).subtracting(deletedBodies).subtracting(acceptedLoss)
  }

  /// Stores that `witness` has seen a chunk of the log. Only its last one is kept.
  package mutating func pin(_ head: LogHead, by witness: StationID) {
    guard head.station == station, head.sequence > 0, head.sequence < UInt64(Int64.max),
      head.sequence > pins[witness]?.sequence ?? 0
    else { return }
    pins[witness] = head
  }

  /// The findings that follow from what is verified and what others have seen.
  package var findings: [LogFinding] {
    var findings: [LogFinding] = []
    let missing = missing.subtracting(acceptedLoss)
    if !missing.isEmpty { findings.append(LogFinding(.missing, of: station, missing, since: since(missing))) }
    let absent = absentBodies
    if !absent.isEmpty { findings.append(LogFinding(.absentBody, of: station, absent, since: since(absent))) }
    for (witness, pin) in pins.sorted(by: { $0.key < $1.key }) {
      if let known = links[pin.sequence] {
        guard known.digest != pin.digest else { continue }
        let place = SequenceRanges([pin.sequence...pin.sequence])
        findings.append(LogFinding(.forked, of: station, place, since: since(place), witness: witness))
      } else if pin.sequence > last {
        let withheld = SequenceRanges([(last + 1)...pin.sequence]).subtracting(acceptedLoss)
        guard !withheld.isEmpty else { continue }
        findings.append(LogFinding(.withheld, of: station, withheld, since: since(withheld), witness: witness))
      }
    }
    return findings
  }

  /// The holes before the last verified chunk.
  package var missing: SequenceRanges {
    guard solidCount < last else { return SequenceRanges() }
    var (ranges, next): ([ClosedRange<UInt64>], UInt64) = ([], solidCount + 1)
    for sequence in links.keys.filter({ $0 > solidCount }).sorted() {
      if sequence > next { ranges.append(next...(sequence - 1)) }
      next = sequence + 1
    }
    return SequenceRanges(ranges)
  }

  /// The time of the last chunk before the first of some places.
  package func since(_ places: SequenceRanges) -> WallTime? {
    guard let first = places.ranges.first?.lowerBound, first > 1 else { return nil }
    return links[first - 1]?.sealed
  }

  // MARK: - Accepting a restored store

  /// Accepts that all missing chunks are lost: holes, absent bodies, and chunks that only others have seen. They are not
  /// reported again.
  package mutating func acceptMissing() {
    var lost = missing.union(absentBodies)
    if let most = pins.values.map(\.sequence).max(), most > last {
      lost = lost.union(SequenceRanges([(last + 1)...most]))
    }
    acceptedLoss = acceptedLoss.union(lost)
    advance()
  }

  /// Accepts chunks that a station wrote after it was removed. They are not used, and not reported again.
  package mutating func acceptUnused(_ places: SequenceRanges) { acceptedLoss = acceptedLoss.union(places) }

  /// Accepts a log that ends at `end`, as after a backup of the store and its author was restored. Later chunks, and what others
  /// have seen of them, are forgotten; the author may write them again.
  package mutating func acceptRestored(end: UInt64) {
    links = links.filter { $0.key <= end }
    withoutBody = withoutBody.filter { $0 <= end }
    pins = pins.filter { $0.value.sequence <= end }
    last = links.keys.max() ?? 0
    solidCount = min(solidCount, last)
    if end < UInt64.max { acceptedLoss = acceptedLoss.subtracting(SequenceRanges([(end + 1)...UInt64.max])) }
  }
}
