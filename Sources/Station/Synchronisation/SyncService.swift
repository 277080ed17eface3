import Foundation
import Logging
import Repository
import ServiceLifecycle
import Sync
import SyncEngine
import TachogramCore

/// Synchronises while the station runs. A space that this station joins meanwhile is noticed.
struct SyncService: Service {
  /// How often changes are looked for.
  private static let look: Duration = .seconds(2)

  let sync: StationSync
  let logger: Logger

  func run() async throws {
    // What a synchronisation that is cut off has not stored, the next one does.
    try? await cancelWhenGracefulShutdown { try await follow() }
  }

  private func follow() async throws {
    var (rhythm, problem): (SyncRhythm, String?) = (SyncRhythm(), nil)
    while !Task.isCancelled {
      if hasSpace {
        let failure = await pass(&rhythm)
        if failure != problem { report(failure) }
        problem = failure
      }
      try await wait(rhythm.pause(random: .random(in: 0...1)), unlessChanged: !rhythm.isRetrying)
    }
  }

  /// Whether this station is a member of a space. A database that cannot be read now is one without.
  private var hasSpace: Bool { (try? SyncRepository(database: sync.database).space()) ?? nil != nil }

  /// Synchronises once. Returns why that failed, or `nil`.
  private func pass(_ rhythm: inout SyncRhythm) async -> String? {
    do {
      let pass = try await sync.engine.pass(with: try sync.store())
      if pass.isNewMember {
        logger.warning("another station uses the keys of this one, as a copied card does; this one is a new member now")
      }
      for refused in pass.download.refused {
        logger.warning(
          "chunk \(refused.sequence) of station \(refused.station.words) was refused: \(refused.reason)")
      }
      rhythm.succeed()
      return nil
    } catch {
      var asked: Duration?
      if case SyncFailure.store(.unavailable(let retryAfter)) = error { asked = retryAfter }
      rhythm.fail(retryAfter: asked)
      return "\(error)"
    }
  }

  private func report(_ problem: String?) {
    if let problem {
      logger.warning("this station does not synchronise: \(problem)")
    } else {
      logger.info("this station synchronises again")
    }
  }

  /// Waits for a time, or until something is to be sent at once.
  private func wait(_ time: Duration, unlessChanged endsEarly: Bool) async throws {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: time)
    while clock.now < end, !Task.isCancelled {
      try await Task.sleep(for: min(Self.look, end - clock.now))
      if endsEarly, (try? SyncOutbox(database: sync.database).hasUrgent()) == true { return }
    }
  }
}
