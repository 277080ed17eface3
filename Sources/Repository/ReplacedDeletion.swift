import FoundationEssentials
import TachogramCore

/// Deletes data also from the databases that were replaced by a copy, so that it cannot be brought back from them.
package struct ReplacedDeletion {
  /// A database that may still hold what was deleted.
  package struct Remainder: Hashable, Sendable {
    package let path: String
    /// Why nothing could be deleted from it.
    package let error: RepositoryError
  }

  private let database: String

  /// Creates the deletion for the databases that the one at a path has replaced.
  package init(database: String) {
    self.database = database
  }

  /// Deletes the selected data from each of the databases, and erases its bytes. A database that holds nothing afterwards is removed.
  /// A session is found by its identifier. The cost is that of writing the databases that hold some of it.
  ///
  /// - Returns: The databases from which nothing could be deleted.
  package func delete(_ selection: SessionSelection, _ category: DataCategory) -> [Remainder] {
    ReplacedDatabase(database).files().compactMap { file in
      do throws(RepositoryError) {
        try delete(selection, category, from: file.path)
        return nil
      } catch {
        return Remainder(path: file.path, error: error)
      }
    }
  }

  private func delete(
    _ selection: SessionSelection, _ category: DataCategory, from path: String
  ) throws(RepositoryError) {
    let replaced = try TachogramDatabase.open(path: path, for: .exclusive)
    defer { try? replaced.close() }
    let repository = DeletionRepository(database: replaced)
    if try !repository.preview(selection, category).isEmpty {
      try repository.delete(selection, category)
      try replaced.vacuum()
    }
    let isEmpty = try replaced.isEmpty()
    try replaced.close()
    if isEmpty { try TachogramDatabase.delete(path: path) }
  }
}
