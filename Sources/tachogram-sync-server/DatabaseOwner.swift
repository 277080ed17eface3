import Foundation
import Glibc

/// The user to whom a database belongs.
enum DatabaseOwner {
  /// Gives root's rights up for those of the owner of the folder of a database: files that root makes beside a database would keep
  /// the server from it.
  static func become(of path: String) throws {
    guard geteuid() == 0 else { return }
    var status = stat()
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard stat(folder, &status) == 0, status.st_uid != 0 else { return }
    guard setgroups(0, nil) == 0, setgid(status.st_gid) == 0, setuid(status.st_uid) == 0 else {
      throw CocoaError(.fileReadNoPermission)
    }
  }
}
