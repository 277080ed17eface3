/// The last chunk of a log that a station has seen.
package struct LogHead: Hashable, Sendable {
  /// The author of the log.
  package let station: StationID
  /// The sequence of the chunk.
  package let sequence: UInt64
  /// The digest of the header of the chunk.
  package let digest: ContentDigest

  package init(station: StationID, sequence: UInt64, digest: ContentDigest) {
    self.station = station
    self.sequence = sequence
    self.digest = digest
  }
}
