import Dashboard
import Synchronization
import TachogramCore

/// Nights with made-up values: one for each of the last days, and those that requests begin.
package final class FakeNights: NightBackend {
  private static let day: Int64 = 86_400_000_000
  private static let hour: Int64 = 3_600_000_000

  private let nights: Mutex<[API.Night]>
  private let now: @Sendable () -> WallTime

  /// Creates `count` nights of each of the persons, up to the last one.
  package init(
    count: Int = 0, persons: [String?] = [nil], now: @escaping @Sendable () -> WallTime = { WallTime(microseconds: 0) },
  ) {
    let midnight = now().microseconds / Self.day * Self.day
    let made = persons.enumerated().flatMap { owner, person in
      (0..<count).map { number in
        Self.night(Self.identifier(owner, number), person, midnight, number)
      }
    }
    nights = Mutex(made)
    self.now = now
  }

  private static func identifier(_ owner: Int, _ number: Int) -> String {
    let digits = String(owner * 0x1_0000 + number, radix: 16)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
  }

  private static func night(_ session: String, _ person: String?, _ midnight: Int64, _ number: Int) -> API.Night {
    let start = midnight - Int64(number) * day - hour + Int64(number * 7 % 5) * 600_000_000
    let minutes = 450 + Double(number * 13 % 60)
    var night = API.Night(
      session: session, person: person, origin: "page", start: WallTime(microseconds: start),
      end: WallTime(microseconds: start + Int64(minutes) * 60_000_000))
    night.estimator = "heart-rate-movement-night"
    (night.timeInBed, night.timeAsleep) = (minutes, minutes - 42)
    (night.sleepLatency, night.wakeAfterSleepOnset) = (14, 28)
    night.efficiency = 100 * (minutes - 42) / minutes
    night.awakenings = 3 + number % 3
    night.stageMinutes = ["wake": 42, "light": minutes - 42 - 160, "deep": 70, "rem": 90]
    (night.quality, night.restlessness) = (84 - Double(number % 7), 12.5)
    (night.lowestHeartRate, night.meanHeartRate, night.rmssd) = (46 + Double(number % 4), 53.2, 48 - Double(number % 6))
    return night
  }

  package func nights(of person: String?, from: WallTime?, to: WallTime?) async throws -> API.Nights {
    let found = nights.withLock { $0 }.filter { night in
      guard night.person == person, let start = Timestamp.time(night.start) else { return false }
      return (from.map { start >= $0 } ?? true) && (to.map { start <= $0 } ?? true)
    }
    return API.Nights(nights: found, regularity: found.count < 5 ? nil : 78)
  }

  package func night(_ session: String) async throws -> API.NightDetail {
    let night = try find(session)
    guard let start = Timestamp.time(night.start) else { throw DashboardError.notFound("there is no such night.") }
    let end = night.end.flatMap(Timestamp.time) ?? now()
    let length = max(0, end.microseconds(since: start))
    let kinds = ["wake", "light", "deep", "light", "rem", "unknown", "light", "deep", "rem", "light", "wake"]
    let part = length / Int64(kinds.count)
    let stages = kinds.enumerated().map { place, kind in
      API.NightStage(
        start: start.advanced(byMicroseconds: Int64(place) * part),
        end: start.advanced(byMicroseconds: Int64(place + 1) * part), stage: kind)
    }
    var detail = API.NightDetail(
      night: night, stages: night.isRunning ? [] : stages, step: Double(length) / 200e6,
      qualityFormula: "40 points for the time asleep, 30 for the efficiency, 20 and 10 for few and short wakings.")
    for place in 0..<200 {
      let isLost = (120..<128).contains(place)
      detail.heartRate.append(isLost ? nil : 54 + Double(place * 31 % 17) / 4 - Double(place % 60) / 20)
      detail.rmssd.append(isLost ? nil : 44 + Double(place * 17 % 23))
      detail.movement.append(isLost ? nil : place % 23 == 0 ? 60 : Double(place * 7 % 5))
    }
    return detail
  }

  package func begin(_ new: API.NewNight) async throws -> API.Night {
    let night = API.Night(
      session: new.session ?? "00000000-0000-4000-8000-000000000fff", person: nil, origin: "page", start: now(),
      end: nil)
    try nights.withLock { nights in
      if nights.contains(where: \.isRunning) {
        throw DashboardError(.conflict, "the night of session \(night.session) has begun already.")
      }
      nights.insert(night, at: 0)
    }
    return night
  }

  package func end(_ session: String) async throws -> API.Night {
    var night = try find(session)
    guard night.isRunning else { throw DashboardError(.conflict, "session \(session) has a night that is over.") }
    (night.end, night.isRunning) = (Timestamp.text(now()), false)
    return nights.withLock { nights in
      nights = nights.map { $0.session == session ? night : $0 }
      return night
    }
  }

  package func forget(_ session: String) async throws {
    _ = try find(session)
    nights.withLock { $0.removeAll { $0.session == session } }
  }

  private func find(_ session: String) throws -> API.Night {
    guard let night = nights.withLock({ $0.first { $0.session == session } }) else {
      throw DashboardError.notFound("session \(session) is not a night.")
    }
    return night
  }
}
