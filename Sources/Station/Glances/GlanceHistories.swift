import Synchronization
import TachogramCore

/// The stored values for glances. However many glances are requested, each part is read at most every five minutes, and one part
/// at a time.
final class GlanceHistories: Sendable {
  private struct State {
    var cache = GlanceCache()
    var reading: Task<Void, Never>?
    /// The number of calls of `forget`.
    var generation = 0
  }

  private let source: any GlanceSourceProtocol
  private let time: any TimeSourceProtocol
  private let state = Mutex(State())

  init(source: any GlanceSourceProtocol, time: any TimeSourceProtocol) {
    self.source = source
    self.time = time
  }

  /// Returns the persons and straps, or `nil` if they could never be read.
  func directory() async -> GlanceDirectory? {
    await refresh(.directory)
    return state.withLock { $0.cache.directory }
  }

  /// Returns a history, which is empty if it could not be read.
  func history(of subject: GlanceSubject) async -> GlanceHistory {
    await refresh(.history(subject))
    return state.withLock { $0.cache.history(of: subject) }
  }

  /// Forgets everything, after a deletion.
  func forget() {
    state.withLock { state in
      state.cache = GlanceCache()
      state.generation += 1
    }
  }

  /// Reads a part if it is due, after any other part that is being read.
  private func refresh(_ part: GlanceCache.Part) async {
    while let reading = reading(part) { await reading.value }
  }

  /// Returns the task that is reading, which is new if there is none, or `nil` if the part is not due.
  private func reading(_ part: GlanceCache.Part) -> Task<Void, Never>? {
    let now = time.now().monotonic
    return state.withLock { state in
      guard state.cache.isDue(part, at: now) else { return nil }
      if let reading = state.reading { return reading }
      let generation = state.generation
      let reading = Task { await read(part, generation) }
      state.reading = reading
      return reading
    }
  }

  private func read(_ part: GlanceCache.Part, _ generation: Int) async {
    let now = time.now()
    let content: GlanceCache.Content
    do {
      switch part {
      case .directory: content = .directory(try await source.directory())
      case .history(let subject):
        content = .history(try await source.history(of: subject, until: now.wall), of: subject)
      }
    } catch {
      content = .failure(part)
    }
    state.withLock { state in
      // What was read before a deletion is not kept.
      if state.generation == generation { state.cache.store(content, at: now.monotonic) }
      state.reading = nil
    }
  }
}
