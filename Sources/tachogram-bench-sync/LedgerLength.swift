import Repository
import Sync
import TachogramCore

/// How long ledgers and stress levels are as compressed columns, before they are sealed.
enum LedgerLength {
  /// The entries of a part: about an hour.
  private static let entries = 4096

  /// Returns the length of all ledgers of a database, and of their levels, in bytes.
  static func encoded(in path: String) throws -> (ledgers: Int, levels: Int) {
    let database = try TachogramDatabase.open(path: path)
    let (sessions, outbox) = (SessionRepository(database: database), SyncOutbox(database: database))
    var (length, levels) = (0, 0)
    for record in try sessions.sessions() {
      var next: Int64 = 0
      while next < record.entryCount {
        let (links, entries) = try outbox.entries(of: record.description.id, from: next, limit: entries)
        guard let last = entries.last else { break }
        next = last.sequence + 1
        let chunk = LedgerChunk(
          session: record.description, links: links, entries: entries, isOver: next >= record.entryCount)
        length += try LedgerChunkCodec.encode(chunk).count
      }
      let stress = try sessions.stress(of: record.description.id)
      levels += try MeasurementChunkCodec.encode(MeasurementChunk(levels: stress)).count
    }
    return (length, levels)
  }
}
