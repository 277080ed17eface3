import Repository
import Sync
import TachogramCore

/// Chunks that are sealed and not stored yet, with what they seal.
struct SealingDraft {
  private let keys: StationKeys
  private let membership: Membership
  private let now: WallTime
  private let padding: PaddingRule
  private var writer: LogWriter
  /// The heads that the next chunk states.
  private var heads: [LogHead]
  private(set) var headers: [EnvelopeHeader] = []
  var sealing: SyncSealing
  /// The length of the sealed chunks, in bytes.
  private(set) var size = 0

  init(_ state: SpaceState, at now: WallTime) {
    (keys, membership, self.now, padding) = (state.keys, state.membership, now, state.padding)
    writer = LogWriter(space: state.space, head: state.receiver.logs[state.id]?.head)
    heads = Array(state.receiver.heads(after: state.carried).prefix(Chunk.mostHeads))
    sealing = SyncSealing(log: state.rows(of: state.id, []).0, headerLength: EnvelopeHeader.byteCount)
  }

  /// The sensors, to whose own keys deletions and owners of straps are sealed.
  var sensors: [StationIdentity] { membership.members.values.filter { $0.role == .sensor }.map(\.identity) }

  /// The kind of a chunk of readings in the database, which distinguishes them from levels.
  static let readings: UInt8 = 7

  /// Returns the chunks of a kind with the data of a session.
  func sequences(of session: String, _ kind: ChunkKind) -> [UInt64] {
    sealing.sealed.filter { $0.session == session && $0.kind == kind.number }.map(\.sequence)
  }

  /// Seals a chunk to the current epoch, or to the own key of a member. `storedKind` is its kind in the database, if that is another
  /// one. Returns its sequence.
  @discardableResult
  mutating func append(
    _ kind: ChunkKind, _ payload: [UInt8], session: String? = nil, to member: StationIdentity? = nil,
    storedKind: UInt8? = nil
  ) throws -> UInt64 {
    let chunk = Chunk(
      kind: kind, sealed: now, heads: heads, memberHeads: Array(membership.heads.prefix(Chunk.mostMemberRecords)),
      payload: payload)
    let envelope =
      if let member {
        try writer.append(chunk, to: member, by: keys, padding: padding)
      } else {
        try writer.append(chunk, to: membership.currentEpoch, by: keys, padding: padding)
      }
    // Heads in a chunk for one member are not seen by the others.
    if member == nil {
      for head in heads { sealing.carried[head.station.digest.bytes] = head.sequence }
      heads = []
    }
    let bytes = envelope.bytes
    size += bytes.count
    headers.append(envelope.header)
    sealing.sealed.append(
      SyncRows.Sealed(
        sequence: envelope.header.sequence, kind: storedKind ?? kind.number, session: session, envelope: bytes))
    return envelope.header.sequence
  }

  /// Seals a chunk that states only the heads of the other logs, if there are new ones.
  mutating func acknowledge() throws {
    guard !heads.isEmpty else { return }
    try append(.edit, try EditChunkCodec.encode(EditChunk()))
  }

  /// Whether no chunk was sealed.
  var hasNoChunks: Bool { sealing.sealed.isEmpty }

  /// Whether nothing is to be stored.
  var isEmpty: Bool { sealing.sealed.isEmpty && sealing.done.isEmpty && sealing.progress.isEmpty }
}
