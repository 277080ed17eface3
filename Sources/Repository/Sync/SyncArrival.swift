import FoundationEssentials
import StressKit
import TachogramCore

/// What a chunk of a log changes in the database.
package struct SyncArrival: Sendable {
  /// The content of a chunk.
  package enum Content: Sendable {
    /// A part of the ledger of a session. `isOver` is whether the session ended in order with its last entry.
    case ledger(SessionDescription, [StrapLink], [LedgerEntry], isOver: Bool)
    /// Stress levels, and readings. Levels after the end of a session that was split are those of another one. The levels replace
    /// those of `whole`, if that is a session.
    case measurements([StressMeasurement], [HRVReading], cutSessions: Set<String> = [], whole: String? = nil)
    /// The movement of a session and its night, or `nil` if it is none.
    case night(session: String, SleepSession?, [MovementEpoch])
    /// What people entered and what holds now.
    case edits([SyncRows.Edit], [Effect])
  }

  /// A value that holds now.
  package enum Effect: Hashable, Sendable {
    /// The person, label and note of a session; an absent one does not change.
    case session(String, SessionEdit)
    /// The name and the person of a known strap; an absent one does not change.
    case strap(BluetoothAddress, name: String?, person: String??)
    case marker(SessionMarker, session: String)
    /// A session keeps its first entries; the others belong to another one since it was split.
    case cutSession(String, entryCount: Int64)
    case deletedSession(String)
    case deletedLevel(UUID)
    case deletedMarker(String)
    case deletedReading(String)
    /// The data of a category was deleted in a selection.
    case deleted(SyncScope)
  }

  /// What became of the content.
  package enum Outcome: Hashable, Sendable {
    case applied
    /// What it continues is not here. The chunk is to be read again.
    case waiting
    /// It belongs to what was deleted.
    case deleted
    /// It contradicts what is stored, or is not valid.
    case refused(String)
  }

  package var sequence: UInt64
  package var content: Content

  /// What holds now, if the content are edits.
  var effects: [Effect] { if case .edits(_, let effects) = content { effects } else { [] } }

  /// The sessions that are cut, if the content are edits.
  package var cutSessions: [String] {
    effects.compactMap { if case .cutSession(let id, _) = $0 { id } else { nil } }
  }

  /// What is deleted, if the content are edits.
  package var deletions: [(selection: SessionSelection, category: DataCategory)] {
    effects.compactMap { effect in
      switch effect {
      case .deletedSession(let id): (.session(id), .sessions)
      case .deleted(let scope): scope.meant.map { ($0, scope.category) }
      default: nil
      }
    }
  }

  package init(sequence: UInt64, _ content: Content) {
    (self.sequence, self.content) = (sequence, content)
  }
}
