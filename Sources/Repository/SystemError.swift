import Glibc

/// Errors and descriptions for error numbers of the system.
package enum SystemError {
  /// Whether an error number means that the disk or the user's quota is full.
  package static func isFull(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }

  /// Returns the error for a failure to create or write a file at `path`: `full` if the disk is full, otherwise `other`.
  package static func error(_ code: Int32, at path: String, else other: RepositoryError) -> RepositoryError {
    isFull(code) ? .full(path: path) : other
  }

  /// Whether an error number means that the owner, the mode or the path of a file is wrong.
  static func isAboutAccess(_ code: Int32) -> Bool {
    [EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG].contains(code)
  }

  /// Returns the description of an error number. A lack of space is described as a full disk, unlike by `strerror`.
  package static func text(_ code: Int32) -> String {
    switch code {
    case ENOSPC: "the disk is full"
    case EDQUOT: "the disk is full for this user, whose quota is used up"
    default: String(cString: strerror(code))
    }
  }
}
