import Beats
import HRV
import TachogramCore

/// The series behind artifact correction: what is final of it, interval by interval, and the windows that are to be
/// recorded now and then.
struct CorrectedSeries: CorrectedIntervalSink, Sendable {
  /// How often windows are recorded, in microseconds of beat time.
  private static let cadence: Int64 = 60_000_000

  private(set) var hrv: HRVSeries
  /// When the series began, and when the last interval ended.
  private var start: MonotonicTime?
  private var end: MonotonicTime?
  private var doubtful = DoubtfulIntervals()
  private var nextRecord: MonotonicTime?
  private var lastRecord: MonotonicTime?
  /// The windows at each minute, oldest first, until they are taken.
  private var recorded: [[HRVWindow]] = []
  /// The artifacts, in the order of the beats, until they are taken.
  private var artifacts: [BeatArtifact] = []
  /// Whether windows and artifacts are to be recorded.
  private let isRecording: Bool

  /// What is final, where it is to be kept.
  private(set) var kept: [SeriesTrace.Interval]?

  init(keepsSegments: Bool, keepsSeries: Bool, limits: ArtifactLimits, isRecording: Bool) {
    self.isRecording = isRecording
    kept = keepsSeries ? [] : nil
    hrv = HRVSeries(keepsSegments: keepsSegments, limits: limits)
  }

  /// Sets when the series begins, before its first interval.
  mutating func begin(at start: MonotonicTime) {
    self.start = start
    nextRecord = start.advanced(byMicroseconds: Self.cadence)
    hrv.begin(at: start)
  }

  /// Notes that the raw interval at `position` is doubtful, whatever its length.
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

  /// Takes a value that is no interval, between two runs.
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

  /// The artifacts that were found since the last call.
  mutating func drainArtifacts() -> [BeatArtifact] {
    if artifacts.isEmpty { return [] }
    defer { artifacts.removeAll(keepingCapacity: true) }
    return artifacts
  }

  /// Beats are numbered as the intervals that they end.
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

  /// The windows that were recorded since the last call.
  mutating func drainRecorded() -> [[HRVWindow]] {
    defer { recorded.removeAll(keepingCapacity: true) }
    return recorded
  }

  /// Records the windows at the last interval, unless that was done already.
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

  /// Intervals that are not final, as they would be if nothing followed them.
  private struct Tail: CorrectedIntervalSink {
    var doubtful: DoubtfulIntervals
    var intervals: [TimedInterval] = []

    mutating func append(_ interval: CorrectedInterval, followsGap: Bool) {
      intervals.append(
        CorrectedSeries.timed(
          interval, followsGap: followsGap, isDoubtful: doubtful.consume(upTo: interval.source)))
    }

    /// A gap is final at once.
    mutating func appendGap(endingAt time: MonotonicTime, source: Int) {}
  }

  /// The intervals that `corrector` has not given yet.
  func tail(of corrector: ArtifactCorrector) -> [TimedInterval] {
    var tail = Tail(doubtful: doubtful)
    var corrector = corrector
    corrector.finish(into: &tail)
    return tail.intervals
  }
}
