import Sync
import SyncEngine
import TachogramCore
import Testing

/// Stations of one space.
enum TestSpaces {
  /// Founds a space with a first station, and invites the others.
  static func make(
    _ names: [String], in store: any SyncStoreProtocol, sensors: Set<String> = []
  ) async throws -> [TestStation] {
    let stations = try names.map { try TestStation($0) }
    _ = try await stations[0].setup.found(at: "memory", store, name: names[0], now: stations[0].now)
    for station in stations.dropFirst() {
      try await join(station, to: stations[0], in: store, role: sensors.contains(station.name) ? .sensor : .reader)
    }
    return stations
  }

  /// Invites a station and lets it join.
  static func join(
    _ station: TestStation, to inviter: TestStation, in store: any SyncStoreProtocol, role: MemberRole = .reader
  ) async throws {
    let now = MonotonicTime(microseconds: 1)
    try await inviter.sync(store)
    var offer = try inviter.loaded().invitation(at: now)
    let text = offer.invitation.text
    _ = try await station.setup.join(
      text, role: role, at: "memory", store, name: station.name, now: station.now, attempts: 2
    ) {
      let joined = try await inviter.change { try await $0.answer(&offer, in: store, at: now) }
      #expect(joined?.name == station.name && joined?.role == role)
    }
    try await inviter.change { try await $0.endInvitation(in: store) }
  }
}
