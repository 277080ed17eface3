import Synchronization
import TachogramCore

/// A source that plays a capture in place of a radio, in real time or at another speed. Its entries are in memory, some hundred
/// bytes each.
package final class ReplayRadioSource: RadioSourceProtocol {
  private struct Running {
    var task: Task<Void, Never>?
    /// Whether it was stopped; later streams end immediately.
    var isStopped = false
  }

  /// The shortest round, in microseconds, so that a capture of a single instant does not spin.
  private static let shortestRound: Int64 = 1_000_000

  private static let century: Int64 = 100 * 31_557_600_000_000

  private let replay: CaptureReplay
  private let plan: CapturePlan
  private let time: any TimeSourceProtocol
  private let speed: Double?
  private let repeats: Bool
  private let running = Mutex(Running())

  /// Creates a source that plays `replay` with `plan`. With a `speed`, arrivals begin now and have their distances in the
  /// capture divided by it; if it `repeats`, over and over. Without a speed, everything arrives at once and once, with the
  /// times of the capture.
  package init(
    _ replay: CaptureReplay, plan: CapturePlan, time: any TimeSourceProtocol, speed: Double? = 1, repeats: Bool = false,
  ) {
    self.replay = replay
    self.plan = plan
    self.time = time
    self.speed = speed.flatMap { $0 > 0 ? $0 : nil }
    self.repeats = repeats
  }

  package func events() -> AsyncStream<StrapEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: StrapEvent.self)
    let task = Task {
      await play { continuation.yield($0) }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    let isStopped = running.withLock { running in
      running.task = task
      return running.isStopped
    }
    if isStopped { task.cancel() }
    return stream
  }

  package func stop() async {
    let task = running.withLock { running in
      running.isStopped = true
      return running.task
    }
    task?.cancel()
    await task?.value
  }

  // MARK: - Playing

  private func play(_ emit: @escaping (StrapEvent) -> Void) async {
    var events: [(strap: Int, event: CaptureReplay.Event)] = []
    // The plan was made from the same file. If it can no longer be read, the source ends.
    try? replay.forEachEvent(plan) { strap, event in
      try Task.checkCancellation()
      events.append((strap, event))
    }
    guard let first = events.first?.event, let last = events.last?.event else { return }
    let length = max(Self.shortestRound, scaled(last.monotonic.microseconds(since: first.monotonic)))
    var begin = speed == nil ? (monotonic: first.monotonic, wall: first.wall) : time.now()
    var straps = ReplayedStraps(plan: plan, emit: emit)
    straps.identify(at: begin)
    repeat {
      var now = begin
      for (strap, event) in events {
        let offset = scaled(event.monotonic.microseconds(since: first.monotonic))
        let due = (
          monotonic: begin.monotonic.advanced(byMicroseconds: offset),
          // Without a speed, the civil time of the capture, which may have stepped; otherwise the current time.
          wall: speed == nil ? event.wall : begin.wall.advanced(byMicroseconds: offset)
        )
        if speed != nil {
          do { try await time.sleep(until: due.monotonic) } catch { break }
        }
        if Task.isCancelled { break }
        now = due
        switch event {
        case .entry(let entry): straps.handle(strap, entry, at: now)
        case .measurement(let measurement): straps.handle(strap, measurement, at: now)
        }
      }
      straps.end(at: now)
      let next = (
        monotonic: begin.monotonic.advanced(byMicroseconds: length), wall: begin.wall.advanced(byMicroseconds: length)
      )
      // If the machine was suspended or cannot keep up, a round begins late rather than all at once, and never without a pause.
      let real = time.now()
      begin =
        real.monotonic < next.monotonic
        ? next
        : (
          real.monotonic.advanced(byMicroseconds: Self.shortestRound),
          real.wall.advanced(byMicroseconds: Self.shortestRound)
        )
    } while repeats && speed != nil && !Task.isCancelled
  }

  /// Returns a duration at the speed, limited to a century, which clocks can count in nanoseconds.
  private func scaled(_ microseconds: Int64) -> Int64 {
    guard let speed else { return microseconds }
    return min(Int64(exactly: (Double(microseconds) / speed).rounded()) ?? .max, Self.century)
  }
}
