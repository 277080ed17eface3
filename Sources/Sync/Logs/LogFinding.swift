import TachogramCore

/// Something about a log that a truthful store and an author with one history cannot cause.
package struct LogFinding: Hashable, Sendable {
  /// The kind of a finding.
  package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// Later chunks are there, and these are not.
    case missing = 1
    /// Another member has seen these chunks, and the store does not show them.
    case withheld
    /// This station has seen these chunks, and the store does not show them any more.
    case rolledBack
    /// The log has two histories: the author signed two chunks of this place, or of the one before.
    case forked
    /// The header is there, and the body is not, although the author did not delete it.
    case absentBody
    /// The body is not that of the header.
    case swappedBody
    /// The author did not sign the chunk.
    case wrongSignature
    /// No member has the identifier of the author.
    case unknownStation
    /// The author was removed before it wrote the chunk.
    case removedStation
    /// The chunk belongs to another space.
    case otherSpace
    /// The chunk belongs to another log or to another place of the log.
    case misplaced
    /// The chunk cannot be decoded.
    case damaged
    /// The chunk is sealed to an epoch whose record is not known.
    case unknownEpoch
    /// The chunk is authentic, but its key does not open it, or its content is not valid.
    case unreadable
    /// Another member has seen member records that the store does not show.
    case withheldMembers
  }

  package let kind: Kind
  /// The author of the log.
  package let station: StationID
  /// The places of the log. For `withheldMembers`, the chunk that refers to the records.
  package let sequences: SequenceRanges
  /// The time of the last chunk before the first place, or `nil` if it is not known.
  package let since: WallTime?
  /// The member that has seen what the store does not show, or `nil` for other kinds.
  package let witness: StationID?

  package init(
    _ kind: Kind, of station: StationID, _ sequences: SequenceRanges, since: WallTime? = nil,
    witness: StationID? = nil
  ) {
    self.kind = kind
    self.station = station
    self.sequences = sequences
    self.since = since
    self.witness = witness
  }
}
