import FileSystem
import Repository

/// The mark, a file beside the database, that a strap was paired once. A station without known straps records the first one in
/// range; with the mark, it records none, so that a strap that was forgotten is not recorded again.
package struct PairedMark: Sendable {
  private static let suffix = "-paired"

  private let path: String

  package init(database: String) {
    path = DatabaseLock.fileName(of: database) + Self.suffix
  }

  /// Whether there is a mark, or may be one that cannot be read.
  package var isSet: Bool {
    do { return try AtomicFile.read(path) != nil } catch { return true }
  }

  package func set() throws {
    try AtomicFile.write([], to: path)
  }
}
