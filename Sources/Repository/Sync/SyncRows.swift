import TachogramCore

/// The rows of the state of synchronisation. Identifiers of spaces and stations, and digests, are their 32 bytes.
package enum SyncRows {
  /// The space whose member this station is.
  package struct Space: Hashable, Sendable {
    package var space: [UInt8]
    package var station: [UInt8]
    /// The address of the store: the path of a folder, or a URL.
    package var store: String
    /// What this station is called in the space.
    package var name: String
    /// The generation of the space whose data this station has.
    package var generation: UInt32
    /// The last time of the clock of edits.
    package var clock: Clock
    /// The civil time of the last complete synchronisation, or `nil` if there was none.
    package var synchronised: WallTime?
    /// Why the last synchronisation failed, or `nil` if it did not.
    package var problem: String?
    /// Differs after each change of the state by any process.
    package var revision: Int64 = 0

    package init(
      space: [UInt8], station: [UInt8], store: String, name: String, generation: UInt32, clock: Clock
    ) {
      (self.space, self.station, self.store, self.name) = (space, station, store, name)
      (self.generation, self.clock) = (generation, clock)
    }
  }

  /// A time of a hybrid clock, without its station.
  package struct Clock: Hashable, Sendable {
    package var wall: WallTime
    package var counter: UInt32

    package init(wall: WallTime, counter: UInt32) {
      (self.wall, self.counter) = (wall, counter)
    }
  }

  /// The state of a log.
  package struct Log: Hashable, Sendable {
    package var station: [UInt8]
    package var state: [UInt8]
    /// The last chunk of the log that a chunk of this station has stated, or 0.
    package var carried: UInt64

    package init(station: [UInt8], state: [UInt8], carried: UInt64) {
      (self.station, self.state, self.carried) = (station, state, carried)
    }
  }

  /// A verified chunk.
  package struct Chunk: Hashable, Sendable {
    package var sequence: UInt64
    package var digest: [UInt8]
    package var previous: [UInt8]
    package var epoch: UInt32
    package var sealed: WallTime?
    package var hasBody: Bool

    package init(
      sequence: UInt64, digest: [UInt8], previous: [UInt8], epoch: UInt32, sealed: WallTime?, hasBody: Bool
    ) {
      (self.sequence, self.digest, self.previous) = (sequence, digest, previous)
      (self.epoch, self.sealed, self.hasBody) = (epoch, sealed, hasBody)
    }
  }

  /// A chunk of this station.
  package struct Sealed: Hashable, Sendable {
    package var sequence: UInt64
    package var kind: UInt8
    /// The session whose data is in the chunk, or `nil` for other kinds.
    package var session: String?
    /// The sealed chunk, or `nil` once all readers have it.
    package var envelope: [UInt8]?
    package var isUploaded = false
    /// Whether the body is still to be deleted in the store.
    package var isDropped = false

    package init(sequence: UInt64, kind: UInt8, session: String?, envelope: [UInt8]?) {
      (self.sequence, self.kind, self.session, self.envelope) = (sequence, kind, session, envelope)
    }
  }

  /// What a person entered, see `Sync.Edit`. Field 0 is a deletion.
  package struct Edit: Hashable, Sendable {
    package var kind: UInt8
    package var target: String
    package var field: UInt8
    package var value: String?
    package var clock: Clock
    package var station: [UInt8]
    /// The own chunk in which it was sealed, or `nil` for edits of others.
    package var sequence: UInt64?

    package init(kind: UInt8, target: String, field: UInt8, value: String?, clock: Clock, station: [UInt8]) {
      (self.kind, self.target, self.field, self.value) = (kind, target, field, value)
      (self.clock, self.station) = (clock, station)
    }
  }

  /// A target that changed since its last edit was sealed.
  package struct Change: Hashable, Sendable {
    /// The kind of a change of the movement or the night of a session.
    package static let night = SyncChangeTable.Kind.night
    /// The kind of a change by which the own chunks of a session are to be deleted, since another station deleted it.
    package static let droppedSession: UInt8 = 65
    /// The kind of a change by which a session ended.
    package static let endedSession: UInt8 = 66
    /// The kind of a change by which a session is to be deleted when its recording is over, since another station deleted it.
    package static let doomedSession: UInt8 = 67
    /// The kind of a change by which a strap was added here.
    package static let addedStrap: UInt8 = 68
    /// The kind of a change by which the entries of a session from a place on belong to another one. The target is the session and
    /// the number of entries that it keeps, in a line each.
    package static let cutSession = SyncChangeTable.Kind.cutSession
    /// The kind of a change by which the edits in an own chunk, whose number is the target, are to be sealed again without those
    /// that were deleted since.
    package static let editChunk: UInt8 = 70
    /// The kind of a change by which all levels of a session are to be sealed again, because they are others.
    package static let levels = SyncChangeTable.Kind.levels

    /// Distinguishes the change from earlier and later ones of the target.
    package var number: Int64
    package var kind: UInt8
    package var target: String
    package var time: WallTime
  }

  /// A session with entries, or an end, that are not sealed.
  package struct Unsealed: Hashable, Sendable {
    package var session: SessionRecord
    package var sealedCount: Int64
    /// Whether it was sealed that the session is over.
    package var wasOver: Bool
  }
}
