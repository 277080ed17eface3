import Repository

/// Opens databases for those who record into them.
enum RecordingAccess {
  /// Opens the database with `body` under its lock, which is to be held to the end.
  static func open(
    _ path: String, _ body: () throws -> TachogramDatabase
  ) throws -> (database: TachogramDatabase, lock: RecordingLock) {
    let early = try lock(path)
    let database = try body()
    // Its folder may be new.
    return (database, early.isHeld ? early : try lock(path))
  }

  private static func lock(_ path: String) throws -> RecordingLock {
    guard let lock = RecordingLock.recording(database: path) else {
      throw CommandFailure(
        "somebody restores \(path), deletes from it or adds to it just now; try again when that is done")
    }
    return lock
  }
}
