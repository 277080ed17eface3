import FileSystem
import Repository
import StressKit
import Sync
import TachogramCore

/// Synchronises this station. The processes of a station take turns: each operation holds a lock, and loads the state again if
/// another process changed it.
package actor SpaceSync {
  /// How long an operation waits between attempts to lock.
  private static let lockPause: Duration = .milliseconds(100)
  /// The number of pauses after which `onWaiting` is called: three seconds.
  private static let silentPauses = 30

  nonisolated let database: TachogramDatabase
  nonisolated let keyFile: StationKeyFile
  private let kind: HRVKind
  private let now: @Sendable () -> WallTime
  private let isClockSynchronised: @Sendable () -> Bool
  private let pause: @Sendable (Duration) async throws -> Void
  private let onWaiting: @Sendable () -> Void
  private var hasReportedWaiting = false
  private var state: SpaceState?
  /// Whether the own log in the store was compared with the database since the start of this process.
  private var hasCompared = false
  private var isBusy = false

  /// `onWaiting` is called once, after some seconds in which another process synchronises.
  package init(
    database: TachogramDatabase, keyFile: StationKeyFile, kind: HRVKind,
    now: @escaping @Sendable () -> WallTime, isClockSynchronised: @escaping @Sendable () -> Bool = { true },
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    onWaiting: @escaping @Sendable () -> Void = {}
  ) {
    (self.database, self.keyFile, self.kind) = (database, keyFile, kind)
    (self.now, self.isClockSynchronised, self.pause, self.onWaiting) = (now, isClockSynchronised, pause, onWaiting)
  }

  /// Synchronises once with a store. The reason of a failure is stored.
  package func pass(
    with store: any SyncStoreProtocol, rhythm: SpaceState.Rhythm = SpaceState.Rhythm()
  ) async throws(SyncFailure) -> SpaceState.Pass {
    do {
      let isFirst = !hasCompared
      let pass = try await use { state in
        try await state.pass(
          with: store, keyFile: self.keyFile, at: self.now(), isFirst: isFirst,
          isClockSynchronised: self.isClockSynchronised(), rhythm: rhythm)
      }
      hasCompared = true
      return pass
    } catch {
      // What a person or the end of the program cancels is no problem of the station.
      if case .cancelled = error { throw error }
      try? SyncRepository(database: database).setProblem(error.description)
      throw error
    }
  }

  /// Changes the state while no other process does.
  package func use<Value: Sendable>(
    _ body: (inout SpaceState) async throws -> Value
  ) async throws(SyncFailure) -> Value {
    do {
      // Operations of this actor must not overlap at their suspension points.
      while isBusy { try await pause(Self.lockPause) }
      isBusy = true
      defer { isBusy = false }
      let lock = try await locked()
      defer { withExtendedLifetime(lock) {} }
      var current = try loaded()
      state = nil
      let value = try await body(&current)
      current.revision = try SyncRepository(database: database).space()?.revision ?? 0
      state = current
      return value
    } catch {
      throw SyncFailure(error)
    }
  }

  /// The space, or `nil` before this process has loaded it.
  package var spaceID: SpaceID? { state?.space }

  private func loaded() throws -> SpaceState {
    if let state, try SyncRepository(database: database).space()?.revision == state.revision { return state }
    return try SpaceState(
      database, keyFile: keyFile, kind: kind, now: now(), isClockSynchronised: isClockSynchronised())
  }

  private func locked() async throws -> SyncLock {
    var pauseCount = 0
    while true {
      if let lock = SyncLock(keyFile.path) { return lock }
      try await pause(Self.lockPause)
      pauseCount += 1
      if pauseCount == Self.silentPauses, !hasReportedWaiting {
        hasReportedWaiting = true
        onWaiting()
      }
    }
  }
}
