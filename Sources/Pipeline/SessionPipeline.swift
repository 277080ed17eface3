import Beats
import FoundationEssentials
import GATT
import HRV
import TachogramCore

/// One session's way through the stages: notification → measurement → beats → HRV → stress. Live and replay run through it
/// alike. It is a pure state machine: entries go in, what derives from them comes out.
package struct SessionPipeline: Sendable {
  private let session: SessionDescription
  private let baseline: PersonalBaseline
  private let deviceID: String
  private var timeline = BeatTimeline()
  private var analyzer: BeatAnalyzer
  private var events: [BeatEvent] = []
  private var notifications = NotificationCounts()
  private var beats = BeatCounts()
  private var followsGap = false

  /// `baseline` is the person's own or the default; its kind decides which metric stands for HRV. `deviceID` names this
  /// machine in the measurements.
  package init(session: SessionDescription, baseline: PersonalBaseline, deviceID: String) {
    self.session = session
    self.baseline = baseline
    self.deviceID = deviceID
    analyzer = BeatAnalyzer(start: session.start, monotonicStart: session.monotonicStart, baseline: baseline)
  }

  /// Takes the next ledger entry and appends what derives from it to `batch`.
  package mutating func ingest(_ entry: LedgerEntry, into batch: inout SessionBatch) {
    switch entry.content {
    case .notification(let value):
      notifications.total += 1
      do {
        let measurement = try HeartRateMeasurementCodec.decode(value[...])
        notifications.add(measurement)
        timeline.notification(
          measurement, ledgerSequence: entry.sequence, link: entry.link, at: entry.monotonic, into: &events)
      } catch {
        notifications.addMalformed(sequence: entry.sequence, problem: error.description)
        timeline.malformed(at: entry.monotonic, into: &events)
      }
    case .linkDown:
      timeline.linkDown(at: entry.monotonic, into: &events)
    }
    drain(into: &batch)
  }

  /// Ends the session: decides on what is pending and records the last windows.
  package mutating func finish(into batch: inout SessionBatch) {
    timeline.finish(into: &events)
    drain(into: &batch)
    if let record = analyzer.finish() { append(record.windows, record.stress, to: &batch) }
  }

  /// The report of what has been ingested so far.
  package func report() -> SessionReport {
    var series = SeriesReport(beats: beats, raw: analyzer.metrics, baseline: baseline)
    series.beats.coverage = timeline.coverage.share
    series.beats.spanSeconds = timeline.coverage.seconds
    series.windows = analyzer.windows
    series.stress = analyzer.stress
    return SessionReport(session: session, notifications: notifications, series: series)
  }

  private mutating func drain(into batch: inout SessionBatch) {
    for event in events {
      switch event {
      case .beat(let beat):
        batch.beats.append(beat)
        add(beat, to: &batch)
      case .gap(let gap):
        followsGap = true
        beats.gaps += 1
        beats.gapSeconds += Double(gap.microseconds) / 1e6
        batch.gaps.append(gap)
      }
    }
    events.removeAll(keepingCapacity: true)
  }

  private mutating func add(_ beat: Beat, to batch: inout SessionBatch) {
    let isOutOfRange = beat.marks.isOutOfRange
    let isWithoutContact = beat.marks.isWithoutContact
    beats.total += 1
    if isOutOfRange { beats.outOfRange += 1 }
    if isWithoutContact { beats.withoutContact += 1 }
    let record = analyzer.add(
      NNInterval(beat.rr), at: beat.time, followsGap: followsGap, isArtifact: isOutOfRange || isWithoutContact)
    followsGap = false
    if let record { append(record.windows, record.stress, to: &batch) }
  }

  private func append(_ windows: [HRVWindow], _ stress: StressResult?, to batch: inout SessionBatch) {
    batch.windows += windows
    if let stress { batch.stress.append(measurement(stress)) }
  }

  private func measurement(_ result: StressResult) -> StressMeasurement {
    var hash = ContentHash()
    hash.add(session.id.utf8)
    hash.add(Int64((result.timestamp.timeIntervalSince1970 * 1e6).rounded()))
    return StressMeasurement(
      id: Self.uuid(hash), timestamp: result.timestamp, stressLevel: result.level,
      category: result.category, confidence: result.confidence, hrv: result.hrv, kind: baseline.kind,
      heartRate: result.heartRate, restingHeartRate: baseline.restingHeartRate, person: session.person,
      sessionID: session.id, deviceID: deviceID, modified: result.timestamp)
  }

  private static func uuid(_ hash: ContentHash) -> UUID {
    let value = hash.uuidValue.bigEndian
    return withUnsafeBytes(of: value) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
