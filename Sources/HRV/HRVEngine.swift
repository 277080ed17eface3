import TachogramCore

/// The time-domain metrics of a session while it goes on: of the whole, and of its last 60, 120 and 300 seconds. A
/// beat costs O(1) however many windows there are; the metrics of one are computed when they are asked for.
///
/// The sums of the whole are exact, and a ring buffer remembers what they were before each of the last beats: a
/// window is what was added since before its first beat. It does not drift, and gives what computing it anew would
/// give.
package struct HRVEngine: Sendable {
  /// Nominal lengths of the windows in seconds, in the order in which they are given out.
  package static let lengths = [60, 120, 300]

  /// The whole session.
  package private(set) var session = TimeDomainAccumulator()
  private let lengths: [Int]
  private var history: BeatHistory
  private var last: NNInterval?
  private var artifactCount = 0

  /// Windows of so many seconds each, 1 … 86 400, of up to `capacity` beats, at least 1: the default has room for 300
  /// s at 409 beats per minute. A full window drops its oldest beat, which its coverage then shows.
  package init(lengths: [Int] = Self.lengths, capacity: Int = 2048) {
    precondition(lengths.allSatisfy { (1...86_400).contains($0) })
    self.lengths = lengths
    history = BeatHistory(span: Int64(lengths.max() ?? 1) * 1_000_000, capacity: capacity)
  }

  /// Adds the next interval. Ends do not decrease from one to the next.
  @inline(__always)
  package mutating func append(_ interval: TimedInterval) {
    let nn = interval.nn
    // A window that begins with this beat has neither its interval nor its pair with the beat before.
    if let last, !interval.followsGap, !interval.isMended { session.addPair(last, nn) }
    history.append(
      BeatHistory.Slot(
        time: interval.end, milliseconds: nn.milliseconds, sumsBefore: session, artifactsBefore: artifactCount,
        followsGap: interval.followsGap))
    session.add(nn)
    last = interval.isMended ? nil : nn
    artifactCount += interval.isArtifact ? 1 : 0
  }

  // MARK: - Reading

  /// The windows as they are at the last beat, in the order of their lengths; `sessionStart` is where the session's
  /// wall span begins.
  package func snapshot(sessionStart: MonotonicTime) -> [HRVWindow] {
    lengths.map { window(length: $0, sessionStart: sessionStart) }
  }

  /// The window of `length` seconds as it is at the last beat; `nil` when there is none of that length.
  package func snapshot(length: Int, sessionStart: MonotonicTime) -> HRVWindow? {
    lengths.contains(length) ? window(length: length, sessionStart: sessionStart) : nil
  }

  /// The engine as it would be with these intervals behind its last one, for a look at what is not final yet.
  package func with(_ intervals: some Sequence<TimedInterval>) -> HRVEngine {
    var engine = self
    for interval in intervals { engine.append(interval) }
    return engine
  }

  /// The intervals of the window of `length` seconds at the last beat.
  package func series(length: Int) -> NNSeries {
    var series = NNSeries()
    guard let end = history.lastTime else { return series }
    for position in history.firstPosition(
      after: end.advanced(byMicroseconds: -Int64(length) * 1_000_000))..<history.count
    {
      let slot = history[position]
      series.append(slot.milliseconds, followsGap: slot.followsGap)
    }
    return series
  }

  /// The window as it is at the last beat, which is its end: the beats that ended after its end − `length`.
  ///
  /// Coverage is the time that intervals cover over the wall span of the window: its length, or the time since
  /// `sessionStart` where that is less. What an interval covers before the span does not count. An empty window ends at
  /// `sessionStart` and covers nothing, as does one whose end is not after it.
  private func window(length: Int, sessionStart: MonotonicTime) -> HRVWindow {
    guard let end = history.lastTime else {
      return HRVWindow(
        length: length, end: sessionStart, coverage: 0, artifactShare: 0, metrics: TimeDomainAccumulator().metrics())
    }
    let start = end.advanced(byMicroseconds: -Int64(length) * 1_000_000)
    // At the very beginning of the axis no beat is after the start.
    let first = min(history.firstPosition(after: start), history.count - 1)
    let oldest = history[first]
    let sums = session.since(oldest.sumsBefore)
    return HRVWindow(
      length: length, end: end,
      coverage: coverage(of: sums.duration, from: first, start: max(start, sessionStart), end: end),
      artifactShare: Double(artifactCount - oldest.artifactsBefore) / Double(sums.count), metrics: sums.metrics())
  }

  /// The share of `start` … `end` that the beats from position `first` on cover, which are `duration` ms long.
  @inline(__always)
  private func coverage(of duration: Double, from first: Int, start: MonotonicTime, end: MonotonicTime) -> Double {
    let wall = Double(end.microseconds(since: start)) / 1000
    guard wall > 0 else { return 0 }
    var outside = 0.0
    for position in first..<history.count {
      let beat = history[position]
      let inside = Double(beat.time.microseconds(since: start)) / 1000
      guard beat.milliseconds > inside else { break }
      outside += min(beat.milliseconds - inside, beat.milliseconds)
    }
    return min(1, max(0, (duration - outside) / wall))
  }
}
