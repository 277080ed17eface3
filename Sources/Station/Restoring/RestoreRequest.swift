import FileSystem
import FoundationEssentials
import Glibc
import Repository

/// A request to restore a snapshot, in a file beside the database, so that a power cut does not lose it: the station restores the
/// snapshot when it opens the database.
package struct RestoreRequest: Sendable {
  private static let suffix = "-restore"

  private let path: String

  package init(database: String) {
    path = DatabaseLock.fileName(of: database) + Self.suffix
  }

  /// Returns the path of the requested snapshot, or `nil` if there is no request.
  package func read() throws -> String? {
    let bytes = try AtomicFile.read(path, limit: 1 << 16) ?? []
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  package func write(_ snapshot: String) throws {
    try AtomicFile.write(Array(snapshot.utf8), to: path)
  }

  /// Puts a request that cannot be read out of the way. Returns its new path.
  package func setAside() -> String? {
    let aside = path + ".damaged"
    return rename(path, aside) == 0 ? aside : nil
  }

  /// Removes the request. A file that cannot be removed is emptied.
  package func remove() throws {
    do {
      try AtomicFile.remove(path)
    } catch {
      guard (try? AtomicFile.shorten(path, to: 0)) == true else { throw error }
    }
  }
}
