import Glibc

/// Finds out whether a file system refuses writing. The flag of its mount does not say so after an error: the kernel then only
/// lets every attempt fail.
enum ReadOnlyProbe {
  /// `O_TMPFILE` of Linux, which the module of the C library leaves out: 020000000 with `O_DIRECTORY`, on x86-64 and ARM64.
  private static let unnamedFile: Int32 = 0o20_000_000 | O_DIRECTORY

  /// Whether a file cannot be made in `folder` because its file system is read-only. The file has no name, and nothing of it is
  /// left. The database itself is not opened: closing it again would release the locks of this process.
  static func isReadOnly(folder: String) -> Bool {
    let descriptor = open(folder, unnamedFile | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return errno == EROFS }
    close(descriptor)
    return false
  }
}
