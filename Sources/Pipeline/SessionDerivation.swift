import FoundationEssentials
import HRV
import StressKit
import TachogramCore

/// What derives from the beats of a session: counts, windows and stress. It is the pipeline behind the timeline.
struct SessionDerivation: BeatSink, Sendable {
  private let session: SessionDescription
  private let baseline: PersonalBaseline
  private let deviceID: String
  private var analyzer: BeatAnalyzer
  private var beats = BeatCounts()
  private var followsGap = false
  /// Takes what derives, while somebody wants it.
  private var batch = SessionBatch()

  init(session: SessionDescription, baseline: PersonalBaseline, deviceID: String, options: AnalysisOptions) {
    self.session = session
    self.baseline = baseline
    self.deviceID = deviceID
    analyzer = BeatAnalyzer(
      start: session.start, monotonicStart: session.monotonicStart, baseline: baseline,
      options: options)
  }

  /// Begins, or ends, to append what derives to `output`: between the two calls, the batch is in here.
  mutating func exchange(_ output: inout SessionBatch) {
    swap(&batch, &output)
    analyzer.isRecording.toggle()
  }

  mutating func take(_ beat: Beat) {
    let isOutOfRange = beat.marks.isOutOfRange
    let isWithoutContact = beat.marks.isWithoutContact
    beats.total += 1
    beats.outOfRange += isOutOfRange ? 1 : 0
    beats.withoutContact += isWithoutContact ? 1 : 0
    // What a strap sends first is the last that is known of the time before: an interval above 2 s may be anything.
    let isFirstClaim = beats.total == 1 && session.madeFrom == nil && beat.marks.contains(.tooLong)
    analyzer.add(
      NNInterval(beat.rr), at: beat.time, followsGap: followsGap, isDoubtful: isOutOfRange || isWithoutContact,
      start: isFirstClaim ? beat.time : nil)
    followsGap = false
    guard analyzer.isRecording else { return }
    batch.beats.append(beat)
    appendRecords()
  }

  mutating func take(_ gap: BeatGap) {
    followsGap = true
    beats.gaps += 1
    beats.gapSeconds += Double(gap.microseconds) / 1e6
    if analyzer.isRecording { batch.gaps.append(gap) }
  }

  /// Ends the series and records its last windows.
  mutating func finish() {
    analyzer.finish()
    appendRecords()
  }

  /// The windows and the stress level at the last beat, which are provisional.
  func reading() -> LiveValues { analyzer.reading() }

  /// The last five minutes, provisional, with what all their metrics are computed from; `nil` without beats.
  func detailedWindow() -> DetailedWindow? { analyzer.detailedWindow() }

  /// The report of the beats so far; coverage is for the timeline to tell.
  func report() -> SeriesReport {
    analyzer.report(beats)
  }

  private mutating func appendRecords() {
    batch.artifacts += analyzer.takeArtifacts()
    for record in analyzer.takeRecords() {
      batch.windows += record.windows
      if let stress = record.stress { batch.stress.append(measurement(stress)) }
    }
  }

  private func measurement(_ result: StressResult) -> StressMeasurement {
    StressMeasurement(
      id: StressMeasurement.derivedID(
        session: session.id, microseconds: WallTime(result.timestamp).microseconds), timestamp: result.timestamp,
      stressLevel: result.level,
      category: result.category, confidence: result.confidence, hrv: result.hrv, kind: baseline.kind,
      heartRate: result.heartRate, restingHeartRate: baseline.restingHeartRate, person: session.person,
      sessionID: session.id, deviceID: deviceID, modified: result.timestamp)
  }
}
