import Glibc

/// What a file system has left.
package struct FreeSpace: Hashable, Sendable {
  /// Bytes that the user may still write.
  package let bytes: UInt64
  /// Free inodes; `nil` when the file system has no such limit.
  package let files: UInt64?
  package let isReadOnly: Bool

  /// Asks the file system of `path`; `nil` where it does not say.
  package init?(at path: String) {
    var numbers = statvfs()
    guard statvfs(path, &numbers) == 0 else { return nil }
    let (bytes, overflow) = UInt64(numbers.f_bavail).multipliedReportingOverflow(by: UInt64(numbers.f_frsize))
    self.bytes = overflow ? .max : bytes
    files = numbers.f_files == 0 ? nil : UInt64(numbers.f_favail)
    isReadOnly = numbers.f_flag & UInt(ST_RDONLY) != 0
  }
}
