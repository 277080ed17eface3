/// The end of a station's own log, to which it appends. What is appended must be stored before the writer is stored.
package struct LogWriter: Hashable, Sendable {
  package let space: SpaceID
  /// The last chunk, or `nil` if there is none.
  package private(set) var head: LogHead?

  package init(space: SpaceID, head: LogHead?) {
    self.space = space
    self.head = head
  }

  private var place: EnvelopeSealer.Place {
    EnvelopeSealer.Place(space: space, sequence: (head?.sequence ?? 0) + 1, previous: head?.digest ?? .zero)
  }

  /// Seals a chunk to the key of an epoch as the next one of the log.
  package mutating func append(
    _ chunk: Chunk, to key: EpochPublicKey, by keys: StationKeys, padding: PaddingRule = .padme
  ) throws(EnvelopeFailure) -> Envelope {
    advance(try EnvelopeSealer.seal(chunk.encoded, at: place, to: key, by: keys, padding: padding))
  }

  /// Seals a chunk to the own key of one member as the next one of the log.
  package mutating func append(
    _ chunk: Chunk, to member: StationIdentity, by keys: StationKeys, padding: PaddingRule = .padme
  ) throws(EnvelopeFailure) -> Envelope {
    advance(try EnvelopeSealer.seal(chunk.encoded, at: place, to: member, by: keys, padding: padding))
  }

  private mutating func advance(_ envelope: Envelope) -> Envelope {
    let header = envelope.header
    head = LogHead(station: header.station, sequence: header.sequence, digest: header.digest)
    return envelope
  }
}
