import TachogramCore

extension SyncRows {
  /// Something about chunks of a log in the store, see `Sync.LogFinding`. Kind 0 is a chunk that was refused.
  package struct Finding: Hashable, Sendable {
    /// The kind of a chunk that was refused.
    package static let refused: UInt8 = 0

    package var kind: UInt8
    package var station: [UInt8]
    /// Ranges of places in the log, as `1-3,7-7`.
    package var sequences: String
    package var since: WallTime?
    package var witness: [UInt8]?
    /// Why a chunk was refused.
    package var reason: String?

    package init(
      kind: UInt8, station: [UInt8], sequences: String, since: WallTime? = nil, witness: [UInt8]? = nil,
      reason: String? = nil
    ) {
      (self.kind, self.station, self.sequences) = (kind, station, sequences)
      (self.since, self.witness, self.reason) = (since, witness, reason)
    }
  }
}
