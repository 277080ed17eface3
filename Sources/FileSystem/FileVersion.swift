#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The identity of a version of a file: its device and inode, its size in bytes and its time of modification.
package struct FileVersion: Hashable, Sendable {
  private let device: UInt64
  private let node: UInt64
  private let size: Int64
  /// In nanoseconds since 1970.
  private let modified: Int64

  /// Reads the version of the file at a path, following symbolic links. Returns `nil` if there is no such file.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    node = UInt64(status.st_ino)
    size = Int64(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
  }
}
