import Repository
import Sync
import TachogramCore

/// The state of synchronisation, for people and programs.
package struct SyncStatusReport: Sendable {
  /// A member of the space.
  package struct Member: Hashable, Sendable {
    package let id: StationID
    /// What it is called, or `nil` if it has not said.
    package let name: String?
    package let role: MemberRole
    package let isThisStation: Bool
    /// The civil time of its last chunk that arrived here, or `nil` if there is none.
    package let lastHeard: WallTime?
    package let chunkCount: UInt64
  }

  package let space: SpaceID
  package let station: StationID
  package let name: String
  package let store: String
  package let members: [Member]
  /// The stations that are no members any more, with their names. Chunks of theirs may be missing.
  package let removed: [StationID: String?]
  /// The chunks that are sealed and not uploaded, and their length in bytes.
  package let queue: (count: Int, bytes: Int)
  /// The sessions with entries that are not sealed.
  package let unsealedCount: Int
  package let lastSync: WallTime?
  /// Why the last synchronisation failed, or `nil` if it did not.
  package let problem: String?
  /// What is wrong with the store or the logs, and what to do.
  package let findings: [LogFindingText]
  /// The number of edits from more than a day ahead, which wait.
  package let quarantinedCount: Int

  package init(_ state: SpaceState) throws {
    guard let row = try state.repository.space() else { throw SyncFailure.noSpace }
    let names: (StationID) -> String? = { state.name(of: $0) }
    (space, station, name, store) = (state.space, state.id, row.name, row.store)
    members = state.membership.members.values.map { member in
      let log = state.receiver.logs[member.id]
      return Member(
        id: member.id, name: names(member.id), role: member.role, isThisStation: member.id == state.id,
        lastHeard: log.flatMap { log in log.links[log.last]?.sealed }, chunkCount: log?.last ?? 0)
    }.sorted { ($0.name ?? "", $0.id) < ($1.name ?? "", $1.id) }
    removed = Dictionary(uniqueKeysWithValues: state.membership.removed.keys.map { ($0, names($0)) })
    queue = try state.outbox.queue()
    unsealedCount = try state.outbox.unsealed().count
    (lastSync, problem) = (row.synchronised, row.problem)
    let rows = try state.repository.findings()
    let known = state.receiver.findings
    findings =
      (known + rows.compactMap(LogFinding.init).filter { !known.contains($0) }).map { LogFindingText($0, name: names) }
      + rows.filter { $0.kind == SyncRows.Finding.refused }.compactMap { row in
        ContentDigest(bytes: row.station).map {
          LogFindingText(refused: row.sequences, of: StationID(digest: $0), row.reason ?? "", name: names)
        }
      }
    quarantinedCount = state.book.quarantined.count
  }
}

extension SpaceState {
  /// Returns what a station is called, or `nil` if it has not said.
  package func name(of station: StationID) -> String? {
    if membership.members[station]?.role == .recovery { return "recovery key" }
    return book.value(.name, of: EditTarget(kind: .station, id: station.description))
  }
}
