import FileSystem

/// A lock of the folder of the keys, as an object that can be held across suspension points.
final class SyncLock {
  private let lock: FolderLock

  init?(_ path: String) {
    guard let lock = FolderLock(ifFreeOf: path) else { return nil }
    self.lock = lock
  }
}
