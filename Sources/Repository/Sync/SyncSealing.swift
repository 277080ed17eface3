import TachogramCore

/// What one step of sealing stores: all of it, or nothing.
package struct SyncSealing: Sendable {
  /// How far a session is sealed.
  package struct Progress: Hashable, Sendable {
    package var session: String
    package var sealedCount: Int64
    /// Whether it is sealed that the session is over.
    package var isOver: Bool

    package init(session: String, sealedCount: Int64, isOver: Bool) {
      (self.session, self.sealedCount, self.isOver) = (session, sealedCount, isOver)
    }
  }

  /// The sealed chunks, in the order of the log.
  package var sealed: [SyncRows.Sealed] = []
  /// The own log with these chunks, and their headers.
  package var log: SyncRows.Log
  package var chunks: [SyncRows.Chunk] = []
  package var progress: [Progress] = []
  /// The stress levels in the chunks, with the sequence of their chunk.
  package var stress: [(level: SyncOutbox.Level, sequence: UInt64)] = []
  package var edits: [SyncRows.Edit] = []
  /// The edits that these replace, because their time was wrong.
  package var discarded: [SyncRows.Edit] = []
  /// The changes that are sealed now, or need not be.
  package var done: [SyncRows.Change] = []
  /// The last chunks of other logs that the chunks state, by station.
  package var carried: [[UInt8]: UInt64] = [:]
  /// The chunks whose bodies are deleted by these ones, see `SyncRows.Sealed.isDropped`.
  package var dropped: [UInt64] = []
  package var clock: SyncRows.Clock?

  /// The length of the header of a chunk, which is kept, in bytes.
  package let headerLength: Int

  package init(log: SyncRows.Log, headerLength: Int) {
    self.log = log
    self.headerLength = headerLength
  }
}
