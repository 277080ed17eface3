#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Runs code of root as the owner of a folder, so that the files that it makes there belong to the owner, and links that the
/// owner made cannot lead root elsewhere.
package enum FolderOwner {
  /// Runs `body` as the owner of `folder` if this process is root's and the folder is not; otherwise as it is. Applies to the
  /// whole process, which must do nothing else.
  package static func run<Value>(_ folder: String, _ body: () throws -> Value) throws -> Value {
    var status = stat()
    guard geteuid() == 0, stat(folder, &status) == 0, status.st_uid != 0 else { return try body() }
    let group = getegid()
    guard setegid(status.st_gid) == 0, seteuid(status.st_uid) == 0 else {
      throw PageOpening.Failure(
        description: "cannot act as the owner of \(folder): \(String(cString: strerror(errno)))")
    }
    defer {
      // Root may return to itself at any time.
      if seteuid(0) != 0 || setegid(group) != 0 { abort() }
    }
    return try body()
  }
}
