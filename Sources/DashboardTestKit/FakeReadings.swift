import Dashboard
import Foundation
import Synchronization
import TachogramCore

/// Measurements that advance by a third with each request for their state, and stored mornings with made-up values.
package final class FakeReadings: ReadingBackend {
  private struct State {
    var running: [String: API.RunningReading] = [:]
    var stored: [HRVReading] = []
  }

  private let state: Mutex<State>
  private let now: @Sendable () -> WallTime

  /// Creates measurements with `mornings` stored ones of each of the persons, one per day, up to yesterday.
  package init(
    mornings: Int = 0, persons: [String?] = [nil],
    now: @escaping @Sendable () -> WallTime = { WallTime(microseconds: 0) }
  ) {
    let newest = now()
    let stored = persons.flatMap { person in
      (0..<mornings).map { day in
        Self.reading(.morning, person, newest.advanced(byMicroseconds: -86_400_000_000 * Int64(day + 1)), day)
      }
    }
    state = Mutex(State(stored: stored))
    self.now = now
  }

  private static func reading(
    _ kind: HRVReading.Kind, _ person: String?, _ start: WallTime, _ number: Int
  ) -> HRVReading {
    HRVReading(
      id: UUID().uuidString.lowercased(), kind: kind, person: person, session: nil, start: start,
      duration: .seconds(60), coverage: 0.98, artifactShare: 0.01, count: 62, meanHeartRate: 58.4 + Double(number % 5),
      sdnn: 52.1, rmssd: 38 + Double(number * 7 % 11))
  }

  package func begin(_ reading: API.NewReading) async throws -> API.RunningReading {
    let running = API.RunningReading(
      id: UUID().uuidString.lowercased(), kind: reading.kind.rawValue, session: reading.session, person: nil,
      phase: .measuring, seconds: Double(reading.seconds))
    state.withLock { $0.running[running.id] = running }
    return running
  }

  package func running(_ id: String) async throws -> API.RunningReading {
    let now = now()
    return try state.withLock { state in
      guard var running = state.running[id] else { throw DashboardError.notFound("there is no measurement \(id).") }
      running.secondsLeft = max(0, running.secondsLeft - running.seconds / 3)
      if running.secondsLeft < 1, running.phase == .measuring {
        running.phase = .done
        let reading = Self.reading(HRVReading.Kind(rawValue: running.kind) ?? .spot, nil, now, 3)
        state.stored.insert(reading, at: 0)
        running.reading = API.HRVReading(reading)
        if reading.kind == .morning { running.morning = Self.comparison }
      }
      state.running[id] = running
      return running
    }
  }

  private static let comparison = API.MorningComparison(
    mornings: 24, needed: 7, usual: API.Band(low: 39, middle: 44, high: 49), verdict: "within")

  package func cancel(_ id: String) async throws {
    guard state.withLock({ $0.running.removeValue(forKey: id) }) != nil else {
      throw DashboardError.notFound("there is no measurement \(id).")
    }
  }

  package func readings(of person: String?, kind: HRVReading.Kind?, limit: Int) async throws -> API.HRVReadings {
    let stored = state.withLock { $0.stored }
    let found = stored.filter { $0.person == person && (kind == nil || $0.kind == kind) }
    return API.HRVReadings(
      readings: found.prefix(limit).map(API.HRVReading.init), morning: found.isEmpty ? nil : Self.comparison)
  }

  package func delete(reading id: String) async throws {
    let isDeleted = state.withLock { state in
      let before = state.stored.count
      state.stored.removeAll { $0.id == id }
      return state.stored.count < before
    }
    guard isDeleted else { throw DashboardError.notFound("there is no reading \(id).") }
  }
}
