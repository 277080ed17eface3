import Repository
import Sync
import TachogramCore

extension LogFinding {
  /// The row of a finding.
  var row: SyncRows.Finding {
    SyncRows.Finding(
      kind: kind.rawValue, station: station.digest.bytes, sequences: sequences.text, since: since,
      witness: witness?.digest.bytes)
  }

  /// Creates a finding from a row. Returns `nil` for a refused chunk, and for kinds of newer programs.
  init?(_ row: SyncRows.Finding) {
    guard let kind = Kind(rawValue: row.kind), let digest = ContentDigest(bytes: row.station),
      let sequences = SequenceRanges(text: row.sequences)
    else { return nil }
    self.init(
      kind, of: StationID(digest: digest), sequences, since: row.since,
      witness: row.witness.flatMap { ContentDigest(bytes: $0) }.map { StationID(digest: $0) })
  }
}
