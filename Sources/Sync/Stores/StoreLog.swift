/// A log in a store.
package struct StoreLog: Hashable, Sendable {
  /// What a log contains.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The chunks of a station.
    case chunks
    /// The member records that a station made or passed on.
    case members
    /// The messages of a station that joins, or that invites another one. They are deleted afterwards.
    case joining
  }

  package let space: SpaceID
  /// The station that writes the log.
  package let station: StationID
  package let kind: Kind

  package init(space: SpaceID, station: StationID, kind: Kind) {
    self.space = space
    self.station = station
    self.kind = kind
  }
}
