import Recording
import Repository
import TachogramCore

/// The storage of the station: the database, its snapshots, and cached values.
struct StationStorage: Sendable {
  let database: TachogramDatabase
  let snapshots: SnapshotFolder
  let condition: DatabaseCondition
  let usual = BaselineCache()
  let means = SessionMeans()
  let time: any TimeSourceProtocol

  /// Creates the storage. `time` is the clock of the machine.
  init(database: TachogramDatabase, snapshots: SnapshotFolder, time: any TimeSourceProtocol) {
    self.database = database
    self.snapshots = snapshots
    self.time = time
    condition = DatabaseCondition(
      .init(lastSnapshot: snapshots.newest(at: time.now().wall)?.time, hasStaleCopies: snapshots.isStale))
  }
}
