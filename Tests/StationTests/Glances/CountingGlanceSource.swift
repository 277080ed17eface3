import Glances
import Synchronization
import TachogramCore
import TachogramTestKit

@testable import Station

/// A source that counts what is read from it, and how much at a time.
final class CountingGlanceSource: GlanceSourceProtocol {
  struct Failure: Error {}

  struct Counts: Equatable {
    var directories = 0
    var histories: [GlanceSubject: Int] = [:]
    var running = 0
    /// The greatest number of reads at a time.
    var mostRunning = 0
  }

  private let state = Mutex(Counts())
  private let failing = Mutex(false)
  private let persons: Set<String>
  /// Called in each read.
  private let during: @Sendable () async -> Void

  init(persons: Set<String> = ["Anna", "Bert"], during: @escaping @Sendable () async -> Void = { await Task.yield() }) {
    self.persons = persons
    self.during = during
  }

  var counts: Counts { state.withLock { $0 } }

  var fails: Bool {
    get { failing.withLock { $0 } }
    set { failing.withLock { $0 = newValue } }
  }

  func directory() async throws -> GlanceDirectory {
    try await read { $0.directories += 1 }
    return GlanceDirectory(persons: persons)
  }

  /// Returns one point, whose heart rate is the number of reads.
  func history(of person: GlanceSubject, until end: WallTime) async throws -> GlanceHistory {
    try await read { $0.histories[person, default: 0] += 1 }
    let count = Double(counts.histories[person] ?? 0)
    return GlanceHistory(
      points: [GlancePoint(time: end, heartRate: count)],
      last: GlanceReading(time: end, heartRate: 50 + count, isCurrent: false))
  }

  private func read(_ count: (inout Counts) -> Void) async throws {
    state.withLock { counts in
      count(&counts)
      counts.running += 1
      counts.mostRunning = max(counts.mostRunning, counts.running)
    }
    await during()
    state.withLock { $0.running -= 1 }
    if fails { throw Failure() }
  }
}
