import Recording
import Synchronization
import TachogramCore

/// Computes the metrics of the spectrum and of the order of the beats while straps are heard: now and then, and beside
/// the beats, which wait for nothing.
package final class LiveDetails: Sendable {
  /// How often they are computed.
  package static let cadence: Duration = .seconds(5)

  private struct Work {
    /// Distinguishes one computation from those before.
    var number = 0
    /// When the next one is due.
    var due: MonotonicTime?
    var isRunning = false
  }

  private let work = Mutex<[Int: Work]>([:])

  package init() {}

  /// Takes what the recorder made of an event. Where it is time for it, `tell` is called later, from anywhere, with the
  /// metrics of the strap, by the task that is returned.
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

  /// What is being computed for a strap is of no interest any more; the next beat begins anew.
  package func forget(_ strap: Int) {
    work.withLock { work in
      guard let old = work[strap] else { return }
      work[strap] = Work(number: old.number + 1)
    }
  }

  /// The number of a computation that is due; `nil` where none is, or one is running.
  private func begin(_ strap: Int, at now: MonotonicTime) -> Int? {
    work.withLock { work in
      var one = work[strap] ?? Work()
      guard !one.isRunning, one.due.map({ $0 <= now }) ?? true else { return nil }
      one = Work(number: one.number + 1, due: now.advanced(by: Self.cadence), isRunning: true)
      work[strap] = one
      return one.number
    }
  }

  /// Whether a computation that has ended is still of interest.
  private func end(_ number: Int, of strap: Int) -> Bool {
    work.withLock { work in
      guard work[strap]?.number == number else { return false }
      work[strap]?.isRunning = false
      return true
    }
  }
}
