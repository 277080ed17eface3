import Glibc

/// What a file system has left.
package struct FreeSpace: Hashable, Sendable {
  /// Bytes that the user may still write.
  package let bytes: UInt64
  /// Free inodes; `nil` when the file system has no such limit.
  package let files: UInt64?
  package let isReadOnly: Bool
  /// Bytes that the file system gives out at a time.
  package let blockSize: UInt64

  /// Less than SQLite needs for the index of its log, and no room for anything else.
  private static let nothing: UInt64 = 65_536
  /// No room for what a person would notice.
  private static let little: UInt64 = 1_048_576
  private static let page: UInt64 = 4096

  /// Whether nothing more can be stored.
  package var isUsedUp: Bool { bytes < Self.nothing || files == 0 }

  /// Whether there is so little that only small steps have room.
  package var isLow: Bool { bytes < Self.little || files == 0 }

  /// Whether shared memory in a file may end the process: SQLite takes a byte of each page for it, which is not the whole page
  /// where the file system gives out less, and a page without room is a bus error.
  package var endangersSharedMemory: Bool { isUsedUp && blockSize < Self.page }

  /// Asks the file system of `path`; `nil` where it does not say, as one without a size.
  package init?(at path: String) {
    var numbers = statvfs()
    guard statvfs(path, &numbers) == 0, numbers.f_blocks > 0 else { return nil }
    let (bytes, overflow) = UInt64(numbers.f_bavail).multipliedReportingOverflow(by: UInt64(numbers.f_frsize))
    self.bytes = overflow ? .max : bytes
    files = numbers.f_files == 0 ? nil : UInt64(numbers.f_favail)
    blockSize = UInt64(numbers.f_frsize)
    isReadOnly = numbers.f_flag & UInt(ST_RDONLY) != 0
  }
}
