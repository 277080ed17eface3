import Glibc

/// The words for an error number of the system.
package enum SystemError {
  /// Whether there is no room for what was to be written.
  package static func isFull(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }

  /// The error for what could not be made or written at `path`: that the disk is full, or `other`.
  package static func error(_ code: Int32, at path: String, else other: RepositoryError) -> RepositoryError {
    isFull(code) ? .full(path: path) : other
  }

  /// Whether the owner, the mode or the path of a file is the reason.
  static func isAboutAccess(_ code: Int32) -> Bool {
    [EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG].contains(code)
  }

  /// What an error number means; for want of room that the disk is full, which is what people look for.
  package static func text(_ code: Int32) -> String {
    switch code {
    case ENOSPC: "the disk is full"
    case EDQUOT: "the disk is full for this user, whose quota is used up"
    default: String(cString: strerror(code))
    }
  }
}
