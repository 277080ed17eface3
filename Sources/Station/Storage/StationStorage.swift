import Recording
import Repository
import TachogramCore

/// What the station keeps: the database, its copies, and what was computed from it.
struct StationStorage: Sendable {
  let database: TachogramDatabase
  let snapshots: SnapshotFolder
  let condition: DatabaseCondition
  let usual = BaselineCache()
  let means = SessionMeans()
  let time: any TimeSourceProtocol

  /// `time` is of the machine.
  init(database: TachogramDatabase, snapshots: SnapshotFolder, time: any TimeSourceProtocol) {
    self.database = database
    self.snapshots = snapshots
    self.time = time
    condition = DatabaseCondition(
      .init(lastSnapshot: snapshots.newest(at: time.now().wall)?.time, hasStaleCopies: snapshots.isStale))
  }
}
