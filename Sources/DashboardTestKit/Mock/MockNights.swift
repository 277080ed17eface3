import Dashboard
import TachogramCore

/// The nights of a mock station, which has none while it is empty.
struct MockNights: NightBackend {
  let nights: FakeNights
  let isEmpty: @Sendable () -> Bool

  func nights(of person: String?, from: WallTime?, to: WallTime?) async throws -> API.Nights {
    guard !isEmpty() else { return API.Nights(nights: [], regularity: nil) }
    return try await nights.nights(of: person, from: from, to: to)
  }

  func night(_ session: String) async throws -> API.NightDetail { try await nights.night(session) }

  func begin(_ night: API.NewNight) async throws -> API.Night { try await nights.begin(night) }

  func end(_ session: String) async throws -> API.Night { try await nights.end(session) }

  func forget(_ session: String) async throws { try await nights.forget(session) }
}
