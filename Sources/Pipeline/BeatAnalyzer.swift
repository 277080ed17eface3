import Beats
import FoundationEssentials
import HRV
import Stress
import StressKit
import TachogramCore

/// Intervals in, metrics and stress out: the stages behind the timeline, shared by sessions and by plain series of
/// intervals. Windows and stress are of the corrected series: provisional up to the last interval, final up to 45
/// intervals before it.
struct BeatAnalyzer: Sendable {
  /// What is final at a minute.
  struct Record {
    let windows: [HRVWindow]
    let stress: StressResult?
  }

  /// The window that stress and the spectrum are of.
  private static let mainWindow = WindowLength.fiveMinutes

  private let start: WallTime
  private let monotonicStart: MonotonicTime
  private let baseline: PersonalBaseline
  private let calculator: StressCalculator
  private var raw: HRVSeries
  private var corrector: ArtifactCorrector
  private var corrected: CorrectedSeries
  private let listsArtifacts: Bool
  /// The raw intervals, where they are to be kept.
  private var kept: [SeriesTrace.Interval]?
  private var count = 0
  /// When the first interval began.
  private var seriesStart: MonotonicTime?

  /// `start` and `monotonicStart` are the same instant on both clocks. `isRecording`: whether records and artifacts are wanted.
  init(
    start: WallTime, monotonicStart: MonotonicTime, baseline: PersonalBaseline, options: AnalysisOptions,
    isRecording: Bool,
  ) {
    self.start = start
    self.monotonicStart = monotonicStart
    self.baseline = baseline
    corrector = ArtifactCorrector(
      method: options.artifacts, listsPositions: options.listsArtifacts || options.keepsSeries)
    listsArtifacts = options.listsArtifacts
    kept = options.keepsSeries ? [] : nil
    let date = start.date
    calculator = StressCalculator(baseline: baseline, now: { date })
    raw = HRVSeries(keepsSegments: options.keepsSegments, limits: nil)
    corrected = CorrectedSeries(
      keepsSegments: options.keepsSegments, keepsSeries: options.keepsSeries, limits: options.limits,
      isRecording: isRecording)
  }

  /// Adds an interval that ended at `time`. With `isDoubtful` it counts as an artifact, whatever its length. The first one
  /// began at `start`, where its length is not usable.
  mutating func add(
    _ interval: NNInterval, at time: MonotonicTime, followsGap: Bool, isDoubtful: Bool, start: MonotonicTime? = nil,
  ) {
    let timed = TimedInterval(interval, endingAt: time, followsGap: followsGap, isDoubtful: isDoubtful)
    if seriesStart == nil { begin(at: start ?? timed.start) }
    if isDoubtful { corrected.noteDoubtful(count) }
    kept?.append(SeriesTrace.Interval(milliseconds: interval.milliseconds, end: time, followsGap: followsGap))
    count += 1
    raw.append(timed)
    corrector.append(interval.milliseconds, endingAt: time, followsGap: followsGap, into: &corrected)
  }

  /// Adds a value that is no interval at all: it is in the share of artifacts, and in nothing else.
  mutating func addImpossible(at time: MonotonicTime) {
    if seriesStart == nil { begin(at: time) }
    corrector.finish(into: &corrected)
    corrected.appendImpossible(at: time)
  }

  private mutating func begin(at start: MonotonicTime) {
    seriesStart = start
    raw.begin(at: start)
    corrected.begin(at: start)
  }

  // MARK: - Recording

  /// The artifacts that were found since the last call, by the position of their interval.
  mutating func drainArtifacts() -> [BeatArtifact] { corrected.drainArtifacts() }

  /// What has become final at minutes since the last call.
  mutating func drainRecords() -> [Record] {
    let recorded = corrected.drainRecorded()
    if recorded.isEmpty { return [] }
    return recorded.map { windows in
      guard case .available(let result) = stress(of: windows) else {
        return Record(windows: windows, stress: nil)
      }
      return Record(windows: windows, stress: result)
    }
  }

  /// Ends the series: all of it is final, and its end is recorded.
  mutating func finish() {
    corrector.finish(into: &corrected)
    corrected.finish()
  }

  // MARK: - Reading

  /// The windows and the stress level at the last interval, which are provisional.
  func reading() -> LiveValues {
    guard let start = seriesStart else {
      return LiveValues(windows: [], stress: .unavailable(.noBeats))
    }
    let windows = corrected.hrv.windows(sessionStart: start, with: corrected.tail(of: corrector))
    return LiveValues(windows: windows, stress: stress(of: windows))
  }

  /// The last five minutes, provisional, with what all their metrics are computed from; `nil` without intervals.
  func detailedWindow() -> DetailedWindow? {
    guard let start = seriesStart else { return nil }
    return corrected.hrv.detailedWindow(
      length: Self.mainWindow, sessionStart: start, with: corrected.tail(of: corrector))
  }

  /// What all intervals so far amount to, as if nothing followed them.
  func report(_ beats: BeatCounts) -> SeriesReport {
    var whole = self
    whole.finish()
    let findings = whole.corrector.findings
    var report = SeriesReport(
      beats: beats, raw: raw.metrics(),
      correction: SeriesReport.Correction(
        counts: findings.counts, gaps: findings.gaps, positions: listsArtifacts ? findings.positions : nil,
        metrics: whole.corrected.hrv.metrics(), quality: whole.corrected.hrv.quality), baseline: baseline)
    guard let start = seriesStart else { return report }
    let corrected = whole.corrected.hrv.detailedWindows(sessionStart: start)
    report.windows = zip(raw.detailedWindows(sessionStart: start), corrected).map { raw, corrected in
      SeriesReport.Window(window: corrected.window, raw: raw.metrics(), corrected: corrected.metrics())
    }
    report.stress = stress(of: corrected.map(\.window))
    if case .available = report.stress, let refusal = refusal(of: report.correction.metrics) {
      report.stress = .unavailable(refusal)
    }
    report.segments = SeriesReport.Segments(raw: raw.segments, corrected: whole.corrected.hrv.segments)
    report.trace = whole.trace
    return report
  }

  /// The intervals of a series that was ended, where they were kept.
  private var trace: SeriesTrace? {
    guard let kept, let mended = corrected.kept else { return nil }
    var trace = SeriesTrace(raw: kept, corrected: mended, start: seriesStart, spectrum: corrected.hrv.spectrum)
    trace.mark(corrector.findings.positions ?? [:])
    return trace
  }

  /// The metric that stress is made of.
  private var stressMetric: HRVMetric { baseline.kind == .sdnn ? .sdnn : .rmssd }

  /// Why a report gives no stress level, whatever its last window says: the recording as a whole is refused.
  private func refusal(of recording: HRVMetrics) -> StressOutcome.Absence? {
    guard let reason = recording.reason(for: stressMetric) else { return nil }
    switch reason {
    case .tooManyArtifacts, .irregularRhythm, .repeatedIntervals: return .recording(stressMetric, reason)
    default: return nil
    }
  }

  private func stress(of windows: [HRVWindow]) -> StressOutcome {
    guard let window = windows.first(where: { $0.length == Self.mainWindow }),
      window.metrics.count > 0 || window.artifactShare > 0
    else { return .unavailable(.noBeats) }
    let metric = stressMetric
    for needed in [metric, .meanHeartRate] {
      if let reason = window.metrics.reason(for: needed) { return .unavailable(.metric(needed, reason)) }
    }
    guard let hrv = window.metrics[metric], let heartRate = window.metrics[.meanHeartRate] else {
      return .unavailable(.noBeats)
    }
    do {
      let result = try calculator.stress(
        hrv: hrv, heartRate: heartRate, samples: window.metrics.count, coverage: window.coverage,
        artifactShare: window.artifactShare, at: wallDate(of: window.end))
      return .available(result)
    } catch {
      return .unavailable(.refused(error.description))
    }
  }

  private func wallDate(of time: MonotonicTime) -> Date {
    start.advanced(byMicroseconds: time.microseconds(since: monotonicStart)).date
  }
}
