import CommandProcess
import Recording
import Repository
import TachogramCore

import struct Foundation.TimeZone

/// Removes deleted data from the file of a database and from copies of it.
package struct DeletionCleanup {
  package let database: TachogramDatabase
  package let copies: SnapshotFolder
  package let timeZone: TimeZone
  /// Whether data was deleted now. Otherwise only the remains of earlier deletions are removed.
  package let hasDeleted: Bool
  /// What was deleted, or `nil` if that is not known any more.
  package let deleted: (selection: SessionSelection, category: DataCategory)?

  package init(
    database: TachogramDatabase, copies: SnapshotFolder, timeZone: TimeZone, hasDeleted: Bool,
    deleted: (selection: SessionSelection, category: DataCategory)?
  ) {
    (self.database, self.copies, self.timeZone) = (database, copies, timeZone)
    (self.hasDeleted, self.deleted) = (hasDeleted, deleted)
  }

  /// Removes the deleted data. Throws a failure if some of it may be left.
  package func run() throws {
    let findings: [String]
    // Rewriting the database may need the space that is reserved for deletions.
    if FreeSpace(at: database.path)?.isLow ?? false { database.releaseReserve() }
    defer { database.renewReserve() }
    do {
      try writeAnew()
      findings = try copies.renew(database, at: SystemTimeSource().now().wall)
    } catch RepositoryError.full where !hasDeleted && !copies.isStale {
      return
    } catch RepositoryError.full {
      throw CommandFailure(
        "what is deleted is not in \(database.path) any more, but in the copy \(copies.snapshots().first?.path ?? copies.path), "
          + "and the disk is too full for a new one: free some space and run the command again, or delete that snapshot"
      )
    } catch {
      throw CommandFailure(
        "the bytes of what is deleted may still be in \(database.path), its log or its copies; do the same again: \(error)"
      )
    }
    if let finding = findings.first {
      throw CommandFailure("\(database.path) is damaged, so its older copies in \(copies.path) were kept: \(finding)")
    }
    let others = ReplacedDatabase(database.path)
    others.removeUnfinished()
    guard let deleted else { return warn(others.names) }
    for remainder in ReplacedDeletion(database: database.path).delete(deleted.selection, deleted.category) {
      StandardStreams.error("tachogram: nothing could be deleted from \(remainder.path): \(remainder.error)")
    }
  }

  private func warn(_ replaced: [String]) {
    if replaced.isEmpty { return }
    StandardStreams.error(
      "tachogram: databases that were replaced by a copy still hold what they held: \(replaced.joined(separator: ", "))"
    )
  }

  /// Rewrites the database without the deleted data. On a full disk the file keeps its size: the deleted bytes are overwritten,
  /// and their space is reused.
  private func writeAnew() throws {
    do {
      try TrendRepository(database: database, timeZone: timeZone).refresh()
      try database.vacuum()
    } catch RepositoryError.full {
      guard try database.emptyLog() else { throw RepositoryError.busy(path: database.path) }
      guard hasDeleted else { return }
      StandardStreams.error(
        "tachogram: the disk is too full to write \(database.path) anew: the bytes of what is deleted are overwritten, and "
          + "\(try database.unusedBytes()) bytes of the file are used before it grows, though storing needs room for its log as "
          + "well; it gets smaller when something is deleted while there is room")
    }
  }
}
