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
  /// How often a station that synchronises once a day looks whether it is time.
  private static let usualLook: Duration = .seconds(60)

  let sync: StationSync
  let logger: Logger
  /// Whether it synchronises once a day only.
  let isDaily: @Sendable () -> Bool

  func run() async throws {
    // What a synchronisation that is cut off has not stored, the next one does.
    try? await cancelWhenGracefulShutdown { try await follow() }
  }

  private func follow() async throws {
    var (rhythm, problem): (SyncRhythm, String?) = (SyncRhythm(), nil)
    var open: (address: String, store: any SyncStoreProtocol)?
    while !Task.isCancelled {
      // A database that cannot be read now is one without a space.
      if let address = (try? SyncRepository(database: sync.database).space()?.store) ?? nil {
        let failure: String?
        do {
          // A store that is kept keeps its connections.
          if open?.address != address || rhythm.isRetrying { open = (address, try sync.store()) }
          failure = nil
        } catch {
          (open, failure) = (nil, "\(error)")
        }
        try await waitForTheDay(rhythm)
        // What changes during the synchronisation causes the next one.
        let mark = await mark(open?.store)
        let problemNow: String? = if let store = open?.store { await pass(store, &rhythm) } else { failure }
        // The end of the program is no problem of synchronisation.
        if Task.isCancelled { return }
        if open == nil { rhythm.fail() }
        if problemNow != problem { report(problemNow) }
        problem = problemNow
        // A station that synchronises once a day waits above, and tells the store nothing by waiting there.
        if isDaily(), !rhythm.isRetrying { continue }
        try await wait(
          rhythm.pause(random: .random(in: 0...1)), for: rhythm.isRetrying ? nil : open?.store, after: mark)
      } else {
        (open, rhythm) = (nil, SyncRhythm())
        try await Task.sleep(for: Self.look)
      }
    }
  }

  /// Waits until the next daily synchronisation is due, if there is to be one a day.
  private func waitForTheDay(_ rhythm: SyncRhythm) async throws {
    let random = Double.random(in: 0...1)
    while isDaily(), !rhythm.isRetrying {
      let last = (try? SyncRepository(database: sync.database).space()?.synchronised) ?? nil
      let pause = rhythm.dailyPause(after: last, now: SystemTimeSource().now().wall, random: random)
      if pause <= .zero { return }
      // The configuration and the clock may change meanwhile.
      try await Task.sleep(for: min(pause, Self.usualLook))
    }
  }

  /// Synchronises once. Returns why that failed, or `nil`.
  private func pass(_ store: any SyncStoreProtocol, _ rhythm: inout SyncRhythm) async -> String? {
    do {
      var rhythmOfChunks = SpaceState.Rhythm()
      if isDaily() { rhythmOfChunks.padding = .fixed }
      let pass = try await sync.engine.pass(with: store, rhythm: rhythmOfChunks)
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

  /// Waits for a time; with a store, also until something is to be sent at once, or something changes in a store that tells it.
  private func wait(_ time: Duration, for store: (any SyncStoreProtocol)?, after mark: StoreMark?) async throws {
    guard let store, let space = await sync.engine.spaceID else { return try await Task.sleep(for: time) }
    try await withThrowingTaskGroup { group in
      group.addTask { try await waitHere(time) }
      group.addTask { try await waitForStore(store, space, after: mark, atMost: time) }
      try await group.next()
      group.cancelAll()
    }
  }

  /// Waits until the store has something new. A store that cannot wait, or fails, is looked at after the time.
  private func waitForStore(
    _ store: any SyncStoreProtocol, _ space: SpaceID, after mark: StoreMark?, atMost time: Duration
  ) async throws {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: time)
    while let mark, clock.now < end, !Task.isCancelled,
      let changes = try? await store.waitForChange(of: space, after: mark, atMost: end - clock.now)
    {
      if changes.mark != mark { return }
    }
    try await Task.sleep(until: end, clock: clock)
  }

  /// Returns the state of the store, or `nil` if it cannot tell.
  private func mark(_ store: (any SyncStoreProtocol)?) async -> StoreMark? {
    guard let store, let space = await sync.engine.spaceID else { return nil }
    return try? await store.waitForChange(of: space, after: nil, atMost: .zero)?.mark
  }

  /// Waits for a time, or until something is to be sent at once.
  private func waitHere(_ time: Duration) async throws {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: time)
    while clock.now < end {
      try await Task.sleep(for: min(Self.look, end - clock.now))
      if (try? SyncOutbox(database: sync.database).hasUrgent()) == true { return }
    }
  }
}
