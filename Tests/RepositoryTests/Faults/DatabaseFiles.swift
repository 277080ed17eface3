import Foundation

/// A database as files: with its log, and without what is in memory.
struct DatabaseFiles {
  let path: String

  /// Copies the file and its log over what is at `other`.
  func copy(to other: String) throws {
    DatabaseFiles(path: other).remove()
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: other + suffix)
    }
  }

  func remove() {
    for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }
}
