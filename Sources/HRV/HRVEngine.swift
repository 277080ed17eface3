import TachogramCore

/// Computes the time-domain metrics of a session in progress: of the whole, and of its last 60, 120 and 300 seconds. A beat
/// costs O(1) regardless of the number of windows; the metrics of a window are computed on request.
///
/// The sums of the whole are exact, and a ring buffer stores their values before each of the last beats. The sums of a window
/// are the difference between the current sums and those before its first beat. They do not drift, and equal the sums computed
/// from the intervals of the window.
package struct HRVEngine: Sendable {
  /// The sums of the whole session.
  package private(set) var session = TimeDomainAccumulator()
  /// The lengths of the windows, in the order in which windows are returned.
  private let lengths: [WindowLength]
  private var history: BeatHistory
  private var last: NNInterval?
  private var artifactCount: UInt32 = 0
  /// The sum of `TimedInterval.width` − 1 of all intervals. It wraps.
  private var surplus: UInt16 = 0
  /// The time that the intervals do not cover, in units of 2⁻³² ms. It wraps: only differences are meaningful.
  private var uncovered: Int64 = 0

  /// Creates an engine with windows of these lengths, 1 … 86 400 s, and of up to `capacity` beats, at least 1. The default is
  /// sufficient for 300 s at 409 beats per minute. If there are more beats, the oldest is dropped, which lowers the coverage.
  package init(lengths: [WindowLength] = WindowLength.recorded, capacity: Int = 2048) {
    precondition(lengths.allSatisfy { (1...86_400).contains($0.seconds) })
    self.lengths = lengths
    history = BeatHistory(span: (lengths.max() ?? 1).microseconds, capacity: capacity)
  }

  /// Appends the next interval. The ends must not decrease.
  @inline(__always)
  package mutating func append(_ interval: TimedInterval) {
    let nn = interval.nn
    // A local copy until the sums are complete: copying memory that was just written stalls the processor.
    var sums = session
    // The sums before this beat include its pair with the preceding beat, so that a window that begins with this beat has its
    // interval but not that pair.
    if let last, !interval.followsGap, !interval.isMended { sums.addPair(last, nn) }
    history.append(
      BeatHistory.Slot(
        time: interval.end, milliseconds: nn.milliseconds, sumsBefore: sums, uncoveredBefore: uncovered,
        artifactsBefore: artifactCount, surplusBefore: surplus, followsGap: interval.followsGap, isGap: false))
    sums.add(nn)
    session = sums
    last = interval.isMended ? nil : nn
    artifactCount &+= interval.isArtifact ? UInt32(truncatingIfNeeded: interval.width) : 0
    surplus &+= UInt16(truncatingIfNeeded: interval.width - 1)
    uncovered &+= interval.uncovered
  }

  /// Appends a gap, an interval above 3 s that ended at `end`. It counts as an artifact, and nothing is computed across it.
  package mutating func appendGap(endingAt end: MonotonicTime) {
    history.append(
      BeatHistory.Slot(
        time: end, milliseconds: 0, sumsBefore: session, uncoveredBefore: uncovered, artifactsBefore: artifactCount,
        surplusBefore: surplus, followsGap: true, isGap: true))
    last = nil
    artifactCount &+= 1
  }

  // MARK: - Reading

  /// Returns the windows at the last beat, in the order of their lengths. `sessionStart` is the start of the session's wall
  /// span.
  package func snapshot(sessionStart: MonotonicTime) -> [HRVWindow] {
    lengths.map { window(length: $0, sessionStart: sessionStart) }
  }

  /// Returns the window of `length` at the last beat, or `nil` if there is no window of that length.
  package func snapshot(length: WindowLength, sessionStart: MonotonicTime) -> HRVWindow? {
    lengths.contains(length) ? window(length: length, sessionStart: sessionStart) : nil
  }

  /// Returns a copy of the engine with further intervals appended, for provisional results.
  package func with(_ intervals: some Sequence<TimedInterval>) -> HRVEngine {
    var engine = self
    for interval in intervals { engine.append(interval) }
    return engine
  }

  /// Returns the intervals of the window of `length` at the last beat.
  package func series(length: WindowLength) -> NNSeries {
    var series = NNSeries()
    var followsGap = false
    for position in firstPosition(length: length)..<history.count {
      let slot = history[position]
      followsGap = followsGap || slot.followsGap
      if slot.isGap { continue }
      series.append(slot.milliseconds, followsGap: followsGap)
      followsGap = false
    }
    return series
  }

  /// Returns the quality of the window of `length` at the last beat. `judged` are the stretches without a plausible rhythm, the
  /// earliest first. Intervals that end in an irregular stretch are unreliable.
  package func quality(length: WindowLength, judged: [JudgedStretch] = []) -> StretchQuality {
    let first = firstPosition(length: length)
    guard first < history.count else { return StretchQuality(total: 0, artifacts: 0) }
    let all = first..<history.count
    var quality = StretchQuality(total: count(of: all), artifacts: artifacts(in: all))
    var (irregularCount, repeatedCount) = (0, 0)
    for stretch in judged.reversed() {
      // Ends are whole microseconds.
      let end = history.firstPosition(after: stretch.span.upperBound.advanced(byMicroseconds: -1))
      guard end > first else { break }
      let start = max(first, history.firstPosition(after: stretch.span.lowerBound.advanced(byMicroseconds: -1)))
      let count = count(of: start..<end)
      switch stretch.rhythm {
      case .plausible: break
      case .irregular:
        irregularCount += count
        quality.untrusted += count - artifacts(in: start..<end)
      case .repeated: repeatedCount += count
      }
    }
    quality.irregularShare = Double(irregularCount) / Double(quality.total)
    quality.repeatedShare = Double(repeatedCount) / Double(quality.total)
    return quality
  }

  /// Returns the position of the first beat in the window of `length` at the last beat.
  private func firstPosition(length: WindowLength) -> Int {
    guard let end = history.lastTime else { return 0 }
    // At the very beginning of the axis no beat is after the start.
    return min(history.firstPosition(after: Self.start(of: length, endingAt: end)), history.count - 1)
  }

  private static func start(of length: WindowLength, endingAt end: MonotonicTime) -> MonotonicTime {
    end.advanced(byMicroseconds: -length.microseconds)
  }

  /// Returns the number of artifacts among the beats at these positions.
  private func artifacts(in positions: Range<Int>) -> Int {
    guard !positions.isEmpty else { return 0 }
    let end = positions.upperBound < history.count ? history[positions.upperBound].artifactsBefore : artifactCount
    return Int(end &- history[positions.lowerBound].artifactsBefore)
  }

  /// Returns the number of intervals that the beats at these positions count as.
  private func count(of positions: Range<Int>) -> Int {
    guard !positions.isEmpty else { return 0 }
    let end = positions.upperBound < history.count ? history[positions.upperBound].surplusBefore : surplus
    return positions.count + Int(end &- history[positions.lowerBound].surplusBefore)
  }

  /// Returns the window that ends at the last beat. It contains the beats that ended after its end − `length`.
  ///
  /// Coverage is the time that intervals in the range of a human heart cover over the wall span of the window: its length, or
  /// the time since `sessionStart` where that is less. Time covered before the span is not counted. An empty window ends at
  /// `sessionStart` and covers nothing, as does one whose end is not after it. Its artifact share is that of
  /// `quality(length:)`.
  private func window(length: WindowLength, sessionStart: MonotonicTime) -> HRVWindow {
    guard let end = history.lastTime else {
      return HRVWindow(
        length: length, end: sessionStart, coverage: 0, artifactShare: 0, metrics: TimeDomainAccumulator().metrics())
    }
    let first = firstPosition(length: length)
    let oldest = history[first]
    let sums = session.since(oldest.sumsBefore)
    return HRVWindow(
      length: length, end: end,
      coverage: coverage(
        of: sums.duration - NNInterval.milliseconds(fixedPoint: uncovered &- oldest.uncoveredBefore), from: first,
        start: max(Self.start(of: length, endingAt: end), sessionStart), end: end),
      artifactShare: quality(length: length).artifactShare,
      metrics: sums.metrics())
  }

  /// Returns the share of `start` … `end` that is covered by the beats from position `first`, which cover `duration` ms in
  /// total.
  @inline(__always)
  private func coverage(of duration: Double, from first: Int, start: MonotonicTime, end: MonotonicTime) -> Double {
    let wall = Double(end.microseconds(since: start)) / 1000
    guard wall > 0 else { return 0 }
    var outside = 0.0
    for position in first..<history.count {
      let beat = history[position]
      let inside = Double(beat.time.microseconds(since: start)) / 1000
      guard beat.milliseconds > inside else { break }
      // The covered part of an interval is at its end.
      let covered = beat.milliseconds - uncoveredMilliseconds(at: position)
      if covered > inside { outside += min(covered - inside, covered) }
    }
    return min(1, max(0, (duration - outside) / wall))
  }

  /// Returns the time that the interval at a position does not cover, in ms.
  private func uncoveredMilliseconds(at position: Int) -> Double {
    let after = position + 1 < history.count ? history[position + 1].uncoveredBefore : uncovered
    return NNInterval.milliseconds(fixedPoint: after &- history[position].uncoveredBefore)
  }
}
