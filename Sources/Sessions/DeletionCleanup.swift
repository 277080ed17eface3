import CommandProcess
import Recording
import Repository
import TachogramCore

import struct Foundation.TimeZone

/// Leaves nothing of what was deleted from a database in its file or in copies of it.
package struct DeletionCleanup {
  package let database: TachogramDatabase
  package let copies: SnapshotFolder
  package let timeZone: TimeZone
  /// Whether something was deleted now; else only what an earlier deletion left is looked for.
  package let hasDeleted: Bool

  package init(database: TachogramDatabase, copies: SnapshotFolder, timeZone: TimeZone, hasDeleted: Bool) {
    (self.database, self.copies, self.timeZone, self.hasDeleted) = (database, copies, timeZone, hasDeleted)
  }

  /// Throws a failure where something of it may be left.
  package func run() throws {
    let findings: [String]
    // What is written anew may need the room that is kept for deletions.
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
    let replaced = others.names
    if !replaced.isEmpty {
      StandardStreams.error(
        "tachogram: databases that were replaced by a copy still hold what they held: \(replaced.joined(separator: ", "))"
      )
    }
  }

  /// Writes the database anew without what is deleted. On a full disk the file keeps its size: its bytes are overwritten, and
  /// what is stored next goes in their place.
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
