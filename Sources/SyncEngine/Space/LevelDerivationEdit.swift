import Sync
import TachogramCore

extension LevelDerivation {
  /// The derivation as an edit, which the author and all who read the chunk keep: a later one wins, in whatever order they learn of
  /// several.
  func edit(by author: StationID) -> Edit {
    Edit(
      target: EditTarget(kind: .session, id: session), change: .set(.levels, String(time.microseconds)),
      time: HybridTime(wall: time, counter: 0, station: author))
  }
}
