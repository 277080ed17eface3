import Recording
import Synchronization
import TachogramCore

/// Computes the metrics of the spectrum and of the order of the beats of connected straps, at intervals and in background
/// tasks, so that the processing of beats never waits for them.
package final class LiveDetails: Sendable {
  /// The interval between computations.
  package static let cadence: Duration = .seconds(5)

  private struct Work {
    /// The number of the latest computation.
    var number = 0
    /// The time at which the next computation is due.
    var due: MonotonicTime?
    var isRunning = false
  }

  private let work = Mutex<[Int: Work]>([:])

  package init() {}

  /// Starts a computation after an event with beats, if one is due. The returned task calls `publish`, from any thread, with
  /// the metrics of the strap. Returns `nil` if no computation is due.
  @discardableResult
  package func handle(
    _ news: LiveRecorder.Update, publish: @escaping @Sendable (HRVMetrics) -> Void
  ) -> Task<Void, Never>? {
    let strap = news.event.strap
    guard !news.batch.beats.isEmpty, let live = news.live, let number = begin(strap, at: news.event.monotonic) else {
      return nil
    }
    let compute = live.detail()
    return Task.detached(priority: .utility) { [self] in
      let metrics = compute?()
      if end(number, of: strap), let metrics { publish(metrics) }
    }
  }

  /// Discards the current computation of a strap; the next beat starts a new one.
  package func forget(_ strap: Int) {
    work.withLock { work in
      guard let old = work[strap] else { return }
      work[strap] = Work(number: old.number + 1)
    }
  }

  /// Starts a computation and returns its number; `nil` if no computation is due, or one is running.
  private func begin(_ strap: Int, at now: MonotonicTime) -> Int? {
    work.withLock { work in
      var one = work[strap] ?? Work()
      guard !one.isRunning, one.due.map({ $0 <= now }) ?? true else { return nil }
      one = Work(number: one.number + 1, due: now.advanced(by: Self.cadence), isRunning: true)
      work[strap] = one
      return one.number
    }
  }

  /// Ends a computation, and returns whether its result is still wanted.
  private func end(_ number: Int, of strap: Int) -> Bool {
    work.withLock { work in
      guard work[strap]?.number == number else { return false }
      work[strap]?.isRunning = false
      return true
    }
  }
}
