import Glibc

/// The space of a file system.
package enum DiskSpace {
  /// Bytes that are free to this user where a file is; `nil` when that cannot be told.
  package static func free(at path: String) -> Int64? {
    var status = statvfs()
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    guard statvfs(folder.isEmpty ? "/" : folder, &status) == 0 else { return nil }
    return Int64(status.f_bavail) * Int64(status.f_frsize)
  }
}
