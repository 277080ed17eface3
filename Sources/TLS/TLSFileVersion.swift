#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What tells one version of a file from the next: which file it is, its size in bytes and when it was changed.
package struct TLSFileVersion: Hashable, Sendable {
  private let device: UInt64
  private let node: UInt64
  private let size: Int64
  /// In nanoseconds since 1970.
  private let modified: Int64

  /// The version of the file at a path, through symbolic links; `nil` where there is none.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    node = UInt64(status.st_ino)
    size = Int64(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
  }
}
