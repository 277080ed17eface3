import TachogramCore

/// The time-domain metrics of a session while it goes on: of the whole, and of its last 60, 120 and 300 seconds. A
/// beat costs O(1) however many windows there are; the metrics of one are computed when they are asked for.
///
/// The sums of the whole are exact, and a ring buffer remembers what they were before each of the last beats: a
/// window is what was added since before its first beat. It does not drift, and gives what computing it anew would
/// give.
package struct HRVEngine: Sendable {
  /// The whole session.
  package private(set) var session = TimeDomainAccumulator()
  /// In the order in which windows are given out.
  private let lengths: [WindowLength]
  private var history: BeatHistory
  private var last: NNInterval?
  private var artifactCount: UInt32 = 0
  /// By how much intervals count for more than they are. It wraps.
  private var surplus: UInt16 = 0
  /// The time of all intervals that they do not cover, in units of 2⁻³² ms. It wraps: only differences count.
  private var uncovered: Int64 = 0

  /// Windows of these lengths, 1 … 86 400 s, of up to `capacity` beats, at least 1: the default has room for 300
  /// s at 409 beats per minute. A full window drops its oldest beat, which its coverage then shows.
  package init(lengths: [WindowLength] = WindowLength.recorded, capacity: Int = 2048) {
    precondition(lengths.allSatisfy { (1...86_400).contains($0.seconds) })
    self.lengths = lengths
    history = BeatHistory(span: (lengths.max() ?? 1).microseconds, capacity: capacity)
  }

  /// Adds the next interval. Ends do not decrease from one to the next.
  @inline(__always)
  package mutating func append(_ interval: TimedInterval) {
    let nn = interval.nn
    // Apart from the session until they are complete: to copy what was written just before stalls the processor.
    var sums = session
    // A window that begins with this beat has neither its interval nor its pair with the beat before.
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

  /// Adds a gap that an interval above 3 s is, which ended at `end`. It counts as an artifact, and nothing reaches over it.
  package mutating func appendGap(endingAt end: MonotonicTime) {
    history.append(
      BeatHistory.Slot(
        time: end, milliseconds: 0, sumsBefore: session, uncoveredBefore: uncovered, artifactsBefore: artifactCount,
        surplusBefore: surplus, followsGap: true, isGap: true))
    last = nil
    artifactCount &+= 1
  }

  // MARK: - Reading

  /// The windows as they are at the last beat, in the order of their lengths; `sessionStart` is where the session's
  /// wall span begins.
  package func snapshot(sessionStart: MonotonicTime) -> [HRVWindow] {
    lengths.map { window(length: $0, sessionStart: sessionStart) }
  }

  /// The window of `length` as it is at the last beat; `nil` when there is none of that length.
  package func snapshot(length: WindowLength, sessionStart: MonotonicTime) -> HRVWindow? {
    lengths.contains(length) ? window(length: length, sessionStart: sessionStart) : nil
  }

  /// The engine as it would be with these intervals behind its last one, for a look at what is not final yet.
  package func with(_ intervals: some Sequence<TimedInterval>) -> HRVEngine {
    var engine = self
    for interval in intervals { engine.append(interval) }
    return engine
  }

  /// The intervals of the window of `length` at the last beat.
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

  /// How far the window of `length` at the last beat can be trusted. `judged` are stretches of time, the earliest first,
  /// whose rhythm is no plausible one: no interval that ends in an irregular one of them is trusted.
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

  /// The position of the first beat in the window of `length` at the last one.
  private func firstPosition(length: WindowLength) -> Int {
    guard let end = history.lastTime else { return 0 }
    // At the very beginning of the axis no beat is after the start.
    return min(history.firstPosition(after: Self.start(of: length, endingAt: end)), history.count - 1)
  }

  private static func start(of length: WindowLength, endingAt end: MonotonicTime) -> MonotonicTime {
    end.advanced(byMicroseconds: -length.microseconds)
  }

  /// How many of the beats at these positions are artifacts.
  private func artifacts(in positions: Range<Int>) -> Int {
    guard !positions.isEmpty else { return 0 }
    let end = positions.upperBound < history.count ? history[positions.upperBound].artifactsBefore : artifactCount
    return Int(end &- history[positions.lowerBound].artifactsBefore)
  }

  /// For how many intervals the beats at these positions count.
  private func count(of positions: Range<Int>) -> Int {
    guard !positions.isEmpty else { return 0 }
    let end = positions.upperBound < history.count ? history[positions.upperBound].surplusBefore : surplus
    return positions.count + Int(end &- history[positions.lowerBound].surplusBefore)
  }

  /// The window as it is at the last beat, which is its end: the beats that ended after its end − `length`.
  ///
  /// Coverage is the time that intervals in the range of a human heart cover over the wall span of the window: its length, or
  /// the time since `sessionStart` where that is less. What an interval covers before the span does not count. An empty window
  /// ends at `sessionStart` and covers nothing, as does one whose end is not after it. Its artifact share is that of
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

  /// The share of `start` … `end` that the beats from position `first` on cover, which cover `duration` ms in all.
  @inline(__always)
  private func coverage(of duration: Double, from first: Int, start: MonotonicTime, end: MonotonicTime) -> Double {
    let wall = Double(end.microseconds(since: start)) / 1000
    guard wall > 0 else { return 0 }
    var outside = 0.0
    for position in first..<history.count {
      let beat = history[position]
      let inside = Double(beat.time.microseconds(since: start)) / 1000
      guard beat.milliseconds > inside else { break }
      // What an interval covers lies at its end.
      let covered = beat.milliseconds - uncoveredMilliseconds(at: position)
      if covered > inside { outside += min(covered - inside, covered) }
    }
    return min(1, max(0, (duration - outside) / wall))
  }

  /// The time that the interval at a position does not cover.
  private func uncoveredMilliseconds(at position: Int) -> Double {
    let after = position + 1 < history.count ? history[position + 1].uncoveredBefore : uncovered
    return NNInterval.milliseconds(fixedPoint: after &- history[position].uncoveredBefore)
  }
}
