import Sync
import TachogramCore

/// The messages of an invitation, which pass through the store: both stations need reach nothing else. They are deleted afterwards.
struct JoinExchange {
  private let store: any SyncStoreProtocol
  private let space: SpaceID
  private let invitation: Invitation

  init(_ store: any SyncStoreProtocol, _ invitation: Invitation) {
    (self.store, self.invitation) = (store, invitation)
    space = invitation.space
  }

  // MARK: - Joining

  /// Sends a request, and waits for the reply. The request is deleted afterwards, also if there is none.
  func ask(
    role: MemberRole, name: String, keys: StationKeys, inviter: StationIdentity, attempts: Int,
    pause: () async throws -> Void
  ) async throws -> JoinReply {
    let request = try JoinRequest.seal(role: role, name: name, by: keys, to: inviter, invitation)
    let place = try await put(request, by: keys.id)
    let result: Result<JoinReply, any Error>
    do {
      result = .success(
        try await reply(to: keys, role: role, from: inviter, attempts: attempts, pause: pause))
    } catch {
      result = .failure(error)
    }
    // Not as a part of this task, whose requests fail when it is cancelled.
    let store = store
    await Task { _ = try? await store.delete(place, keeping: 0) }.value
    return try result.get()
  }

  private func reply(
    to keys: StationKeys, role: MemberRole, from inviter: StationIdentity, attempts: Int, pause: () async throws -> Void
  ) async throws -> JoinReply {
    var failure: any Error = SyncFailure.noAnswer
    for _ in 0..<max(1, attempts) {
      for (_, message) in try await messages(of: inviter.id) {
        do {
          return try JoinReply(sealed: message, role: role, keys: keys, from: inviter, invitation)
        } catch JoinFailure.notInvited {
          // The reply to another station.
        } catch {
          failure = error
        }
      }
      try await pause()
    }
    throw failure
  }

  // MARK: - Inviting

  /// Returns the requests of other stations.
  func requests(except station: StationID) async throws -> [[UInt8]] {
    var requests: [[UInt8]] = []
    for log in try await store.logs(of: space) where log.kind == .joining && log.station != station {
      requests += try await messages(of: log.station).map(\.bytes)
    }
    return requests
  }

  /// Stores a message of a station. Returns its place.
  func put(_ message: [UInt8], by station: StationID) async throws -> StoreKey {
    let log = StoreLog(space: space, station: station, kind: .joining)
    var sequence = try await store.list(log, after: 0, limit: 65_536).sequences.max().map { $0 + 1 } ?? 1
    while case .conflict = try await store.putIfAbsent(message, at: StoreKey(log: log, sequence: sequence)) {
      sequence += 1
    }
    return StoreKey(log: log, sequence: sequence)
  }

  private func messages(of station: StationID) async throws -> [(key: StoreKey, bytes: [UInt8])] {
    let log = StoreLog(space: space, station: station, kind: .joining)
    var messages: [(key: StoreKey, bytes: [UInt8])] = []
    for sequence in try await store.list(log, after: 0, limit: 256).sequences {
      let key = StoreKey(log: log, sequence: sequence)
      if let bytes = try await store.get(key) { messages.append((key, bytes)) }
    }
    return messages
  }
}
