import Beats
import HRV
import TachogramCore

/// The series after artifact correction: its final intervals, and the windows that are recorded at regular intervals.
struct CorrectedSeries: CorrectedIntervalSink, Sendable {
  /// The time between recorded windows, in microseconds of beat time.
  private static let cadence: Int64 = 60_000_000

  private(set) var hrv: HRVSeries
  /// The start of the series, and the end of the last interval.
  private var start: MonotonicTime?
  private var end: MonotonicTime?
  private var doubtful = DoubtfulIntervals()
  private var nextRecord: MonotonicTime?
  private var lastRecord: MonotonicTime?
  /// The windows at each minute that are not yet drained, the oldest first.
  private var recorded: [[HRVWindow]] = []
  /// The artifacts that are not yet drained, in the order of the beats.
  private var artifacts: [BeatArtifact] = []
  /// Whether windows and artifacts are recorded.
  private let isRecording: Bool

  /// The final intervals, or `nil` if they are not kept.
  private(set) var kept: [SeriesTrace.Interval]?

  init(keepsSegments: Bool, keepsSeries: Bool, limits: ArtifactLimits, isRecording: Bool) {
    self.isRecording = isRecording
    kept = keepsSeries ? [] : nil
    hrv = HRVSeries(keepsSegments: keepsSegments, limits: limits)
  }

  /// Sets the start of the series. Must be called before the first interval is appended.
  mutating func begin(at start: MonotonicTime) {
    self.start = start
    nextRecord = start.advanced(byMicroseconds: Self.cadence)
    hrv.begin(at: start)
  }

  /// Marks the raw interval at `position` as doubtful, whatever its length.
  mutating func noteDoubtful(_ position: Int) {
    doubtful.note(position)
  }

  mutating func append(_ interval: CorrectedInterval, followsGap: Bool) {
    let timed = Self.timed(interval, followsGap: followsGap, isDoubtful: doubtful.consume(upTo: interval.source))
    end = interval.time
    hrv.append(timed)
    kept?.append(
      SeriesTrace.Interval(
        milliseconds: interval.milliseconds, end: interval.time, beatClass: interval.beatClass, followsGap: followsGap))
    guard isRecording else { return }
    if interval.beatClass != .normal { note(interval) }
    if let nextRecord, interval.time >= nextRecord { record() }
  }

  mutating func appendGap(endingAt time: MonotonicTime, source: Int) {
    _ = doubtful.consume(upTo: source)
    end = time
    hrv.appendGap(endingAt: time)
    guard isRecording else { return }
    artifacts.append(BeatArtifact(beat: Int64(source), beatClass: .longShort, replacements: 0, milliseconds: 0))
    if let nextRecord, time >= nextRecord { record() }
  }

  /// Appends a value that is not an interval, between two runs.
  mutating func appendImpossible(at time: MonotonicTime) {
    hrv.appendGap(endingAt: time)
  }

  private static func timed(_ interval: CorrectedInterval, followsGap: Bool, isDoubtful: Bool) -> TimedInterval {
    let nn = NNInterval(milliseconds: interval.milliseconds)
    return TimedInterval(
      nn, endingAt: interval.time, followsGap: followsGap, isMended: interval.beatClass != .normal,
      isDoubtful: isDoubtful, width: interval.width,
      covered: interval.covered == interval.milliseconds ? nn : NNInterval(milliseconds: interval.covered))
  }

  // MARK: - Recording

  /// Removes and returns the artifacts that were found since the last call.
  mutating func drainArtifacts() -> [BeatArtifact] {
    if artifacts.isEmpty { return [] }
    defer { artifacts.removeAll(keepingCapacity: true) }
    return artifacts
  }

  /// Records an artifact. Beats have the numbers of the intervals that they end.
  private mutating func note(_ interval: CorrectedInterval) {
    let beat = Int64(interval.source)
    if let last = artifacts.last, last.beat == beat {
      artifacts[artifacts.count - 1].replacements += 1
      return
    }
    if interval.beatClass == .extra {
      artifacts.append(BeatArtifact(beat: beat - 1, beatClass: .extra, replacements: 0, milliseconds: 0))
    }
    artifacts.append(
      BeatArtifact(
        beat: beat, beatClass: interval.beatClass, replacements: 1, milliseconds: interval.milliseconds))
  }

  /// Removes and returns the windows that were recorded since the last call.
  mutating func drainRecorded() -> [[HRVWindow]] {
    defer { recorded.removeAll(keepingCapacity: true) }
    return recorded
  }

  /// Records the windows at the last interval, unless they are already recorded.
  mutating func finish() {
    if isRecording, lastRecord != end { record() }
  }

  private mutating func record() {
    guard let start, let end else { return }
    lastRecord = end
    let passed = end.microseconds(since: start) / Self.cadence + 1
    nextRecord = start.advanced(byMicroseconds: passed * Self.cadence)
    recorded.append(hrv.windows(sessionStart: start))
  }

  // MARK: - What is not final

  /// The intervals that are not final, corrected as if the series ended after them.
  private struct Tail: CorrectedIntervalSink {
    var doubtful: DoubtfulIntervals
    var intervals: [TimedInterval] = []

    mutating func append(_ interval: CorrectedInterval, followsGap: Bool) {
      intervals.append(
        CorrectedSeries.timed(
          interval, followsGap: followsGap, isDoubtful: doubtful.consume(upTo: interval.source)))
    }

    /// Does nothing: a gap is final immediately.
    mutating func appendGap(endingAt time: MonotonicTime, source: Int) {}
  }

  /// Returns the intervals that `corrector` has not yet emitted.
  func tail(of corrector: ArtifactCorrector) -> [TimedInterval] {
    var tail = Tail(doubtful: doubtful)
    var corrector = corrector
    corrector.finish(into: &tail)
    return tail.intervals
  }
}
