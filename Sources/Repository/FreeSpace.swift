import Glibc

/// The free space of a file system.
package struct FreeSpace: Hashable, Sendable {
  /// The number of bytes that the user can still write.
  package let bytes: UInt64
  /// The number of free inodes, or `nil` if the file system has no such limit.
  package let files: UInt64?
  package let isReadOnly: Bool
  /// The size of the blocks that the file system allocates, in bytes.
  package let blockSize: UInt64

  /// The limit below which the disk counts as used up, in bytes: SQLite needs more for the index of its log alone.
  private static let nothing: UInt64 = 65_536
  /// The limit below which space counts as low, in bytes.
  private static let little: UInt64 = 1_048_576
  private static let page: UInt64 = 4096

  /// Whether nothing more can be stored.
  package var isUsedUp: Bool { bytes < Self.nothing || files == 0 }

  /// Whether there is only space for small transactions.
  package var isLow: Bool { bytes < Self.little || files == 0 }

  /// Whether shared memory in a file may end the process: SQLite allocates it by writing one byte of each page, which does not
  /// allocate the whole page if the blocks of the file system are smaller, and an access to a page without space is a bus
  /// error.
  package var endangersSharedMemory: Bool { isUsedUp && blockSize < Self.page }

  init(bytes: UInt64, files: UInt64?, isReadOnly: Bool, blockSize: UInt64) {
    (self.bytes, self.files, self.isReadOnly, self.blockSize) = (bytes, files, isReadOnly, blockSize)
  }

  /// Reads the free space of the file system of `path`. `nil` if it is not known, as for a file system without a size.
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
