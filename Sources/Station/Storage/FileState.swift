import Glibc

/// What tells a file from another one with its name.
package struct FileState: Hashable, Sendable {
  private let device: dev_t
  private let number: ino_t
  private let size: off_t

  /// `nil` if there is no file at `path`.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number, size) = (status.st_dev, status.st_ino, status.st_size)
  }
}
