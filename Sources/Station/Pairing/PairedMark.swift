import FileSystem
import Repository

/// The mark, a file beside the database, of a station with which a strap was paired. A station without known straps records the
/// first one in range; with the mark, it records none, so that a strap that was forgotten is not recorded again.
package struct PairedMark: Sendable {
  private static let suffix = "-paired"

  private let path: String

  package init(database: String) {
    path = DatabaseLock.fileName(of: database) + Self.suffix
  }

  package var isSet: Bool { (try? AtomicFile.read(path)) != nil }

  package func set() throws {
    try AtomicFile.write([], to: path)
  }
}
