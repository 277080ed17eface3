import GATT
import StressKit
import TachogramCore

/// One line of the event output. Keys that do not apply to an event are absent.
package struct EventLine: Encodable {
  package let event: String
  /// The strap; absent if the event does not concern one.
  package var strap: String?
  package var sequence: Int64?
  package var link: Int?
  package var time: String?
  package var value: String?
  package var heartRate: UInt16?
  package var contact: String?
  package var energyExpendedKJ: UInt16?
  package var rr1024: [UInt16]?
  /// The bytes of a frame of pulse intervals, and its intervals in ms.
  package var frame: String?
  package var ppiMs: [UInt16]?
  package var error: String?
  package var reason: String?
  package var phase: String?
  package var rrMs: Double?
  package var marks: [String]?
  package var beatClass: String?
  package var replacements: Int?
  package var replacementMs: Double?
  package var start: String?
  package var end: String?
  package var seconds: Double?
  package var lengthSeconds: Int?
  package var coverage: Double?
  package var artifactShare: Double?
  package var metrics: MetricsSection?
  package var level: Double?
  package var category: String?
  package var confidence: Double?
  package var address: String?
  package var batteryLow: Bool?
  package var signalDBm: Int16?
  /// The monotonic and wall times of a ledger entry, in exports.
  package var monotonicUs: Int64?
  package var wallUs: Int64?

  package init(_ entry: LedgerEntry, strap: String) {
    self.strap = strap
    sequence = entry.sequence
    link = entry.link
    time = Timestamp.text(entry.wall)
    switch entry.content {
    case .notification(let bytes):
      event = "notification"
      value = Hexadecimal.text(bytes)
      do {
        let measurement = try HeartRateMeasurementCodec.decode(bytes[...])
        heartRate = measurement.heartRate
        contact = measurement.contact.rawValue
        energyExpendedKJ = measurement.energyExpended
        rr1024 = measurement.rrIntervals.map(\.ticks)
      } catch {
        self.error = error.description
      }
    case .pulseIntervals(let bytes):
      event = "pulseIntervals"
      frame = Hexadecimal.text(bytes)
      do {
        ppiMs = try PolarPPICodec.samples(ofFrame: bytes).map(\.interval)
      } catch {
        self.error = error.description
      }
    case .linkDown(let reason):
      event = reason == DisconnectionCode.captureLoss ? "loss" : "linkDown"
      self.reason = "0x" + Hexadecimal.text([reason])
    }
  }

  package init(_ beat: Beat, strap: String, time: WallTime) {
    event = "beat"
    self.strap = strap
    sequence = beat.sequence
    self.time = Timestamp.text(time)
    rr1024 = [beat.rr.ticks]
    rrMs = beat.rr.milliseconds
    marks = beat.marks.isEmpty ? nil : beat.marks.names
  }

  /// `sequence` is that of the beat.
  package init(_ artifact: BeatArtifact, strap: String) {
    event = "artifact"
    self.strap = strap
    sequence = artifact.beat
    beatClass = artifact.beatClass.rawValue
    replacements = artifact.replacements
    replacementMs = artifact.milliseconds
  }

  package init(_ gap: BeatGap, strap: String, start: WallTime, end: WallTime) {
    event = "gap"
    self.strap = strap
    sequence = gap.sequence
    self.start = Timestamp.text(start)
    self.end = Timestamp.text(end)
    seconds = gap.seconds
    reason = gap.reason.rawValue
  }

  package init(_ window: HRVWindow, strap: String, time: WallTime) {
    event = "window"
    self.strap = strap
    self.time = Timestamp.text(time)
    lengthSeconds = window.length.seconds
    coverage = window.coverage
    artifactShare = window.artifactShare
    metrics = MetricsSection(HRVMetrics(timeDomain: window.metrics))
  }

  package init(_ state: LinkState, strap: String, time: WallTime) {
    event = "state"
    self.strap = strap
    self.time = Timestamp.text(time)
    phase = state.phase.rawValue
    reason = state.reason?.rawValue
  }

  /// Creates a line without values, to be completed by the caller.
  package init(_ event: String, strap: String, time: WallTime) {
    self.event = event
    self.strap = strap
    self.time = Timestamp.text(time)
  }

  /// Creates a line for a change of reception: `obstacle` is the reason why broadcasts cannot be received, `nil` if they can.
  package init(listening obstacle: LinkReason?, time: WallTime) {
    event = "state"
    self.time = Timestamp.text(time)
    phase = obstacle == nil ? "listening" : "deaf"
    reason = obstacle?.rawValue
  }

  package init(_ stress: StressMeasurement, strap: String) {
    event = "stress"
    self.strap = strap
    time = Timestamp.text(stress.timestamp)
    level = stress.stressLevel
    category = stress.category.rawValue
    confidence = stress.confidence
  }
}

extension EventLine {
  /// Returns the lines of a batch in their order of origin: received entries first, then derived values.
  package static func lines(_ batch: SessionBatch, of session: SessionDescription, strap: String) -> [EventLine] {
    var lines = batch.entries.map { EventLine($0, strap: strap) }
    lines += batch.gaps.map { EventLine($0, strap: strap, start: session.wall($0.start), end: session.wall($0.end)) }
    lines += batch.beats.map { EventLine($0, strap: strap, time: session.wall($0.time)) }
    lines += batch.artifacts.map { EventLine($0, strap: strap) }
    lines += batch.windows.map { EventLine($0, strap: strap, time: session.wall($0.end)) }
    lines += batch.stress.map { EventLine($0, strap: strap) }
    return lines
  }
}

extension BeatMarks {
  /// The marks by name.
  package var names: [String] {
    [(BeatMarks.tooShort, "tooShort"), (.tooLong, "tooLong"), (.noContact, "noContact")]
      .filter { contains($0.0) }.map(\.1)
  }
}
