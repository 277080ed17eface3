import Repository
import Sync
import TachogramCore

extension Edit {
  /// The field of a deletion in a row.
  private static let deletion: UInt8 = 0

  /// Creates an edit from a row. Returns `nil` if the row is not valid.
  init?(_ row: SyncRows.Edit) {
    guard let digest = ContentDigest(bytes: row.station) else { return nil }
    self.init(
      target: EditTarget(kind: EditTarget.Kind(number: row.kind), id: row.target),
      change: row.field == Self.deletion ? .delete : .set(EditField(number: row.field), row.value),
      time: HybridTime(wall: row.clock.wall, counter: row.clock.counter, station: StationID(digest: digest)))
  }

  /// The row of the edit.
  var row: SyncRows.Edit {
    var (field, text): (UInt8, String?) = (Self.deletion, nil)
    if case .set(let edited, let value) = change { (field, text) = (edited.number, value) }
    return SyncRows.Edit(
      kind: target.kind.number, target: target.id, field: field, value: text,
      clock: SyncRows.Clock(wall: time.wall, counter: time.counter), station: time.station.digest.bytes)
  }
}
