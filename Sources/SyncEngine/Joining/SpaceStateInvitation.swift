import Sync
import TachogramCore

extension SpaceState {
  /// A station that joined.
  package struct Joined: Hashable, Sendable {
    package let station: StationID
    package let role: MemberRole
    /// The name that it proposed.
    package let name: String
  }

  /// Creates an invitation to the space. Throws if this station may not add members.
  package func invitation(at now: MonotonicTime) throws -> InvitationOffer {
    _ = try MembershipChanges(membership, by: keys)
    return InvitationOffer(to: space, by: id, at: now)
  }

  /// Answers the request that was made with an invitation, if it is there: adds the station, and sends it the members and heads.
  package mutating func answer(
    _ offer: inout InvitationOffer, in store: any SyncStoreProtocol, at now: MonotonicTime
  ) async throws -> Joined? {
    let exchange = JoinExchange(store, offer.invitation)
    for request in try await exchange.requests(except: id) {
      let opened: JoinRequest
      do {
        opened = try offer.open(request, keys: keys, at: now)
      } catch JoinFailure.notInvited {
        continue
      }
      try await downloadMembers(from: store)
      try add([try MembershipChanges(membership, by: keys).add(opened.identity, role: opened.role)])
      try await uploadMembers(to: store)
      var heads = receiver.heads
      if let own = receiver.logs[id]?.head { heads.append(own) }
      let reply = try JoinReply.seal(
        space: space, records: records, heads: heads, by: keys, to: opened.identity, offer.invitation)
      _ = try await exchange.put(reply, by: id)
      return Joined(station: opened.identity.id, role: opened.role, name: opened.name)
    }
    return nil
  }

  /// Deletes the messages of this station in the store.
  package func endInvitation(in store: any SyncStoreProtocol) async throws {
    let log = StoreLog(space: space, station: id, kind: .joining)
    for sequence in try await store.list(log, after: 0, limit: 65_536).sequences {
      try await store.delete(StoreKey(log: log, sequence: sequence), keeping: 0)
    }
  }
}
