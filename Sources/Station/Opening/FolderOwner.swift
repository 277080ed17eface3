import FileSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Runs code of root as the owner of a folder, so that the files that it makes there belong to the owner, and links that the
/// owner made cannot lead root elsewhere.
package enum FolderOwner {
  /// Runs `body` as the owner of `folder` if this process is root's and the folder is not; otherwise as it is. Applies to the
  /// files that this thread uses.
  package static func run<Value>(_ folder: String, _ body: () throws -> Value) throws -> Value {
    var status = stat()
    guard geteuid() == 0, stat(folder, &status) == 0, status.st_uid != 0 else { return try body() }
    guard let value = try FileAccess.run(asUser: status.st_uid, group: status.st_gid, body) else {
      throw PageOpening.Failure(
        description: "cannot act as the owner of \(folder): \(String(cString: strerror(errno)))")
    }
    return value
  }
}
