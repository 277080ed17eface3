import StressKit
import TachogramCore

/// The state of one strap at one instant, for display.
package struct LiveReading: Hashable, Sendable {
  /// The age, in seconds, at which a reading is stale; straps send a notification every second. Views check several times a
  /// second, and must show staleness within five seconds.
  package static let staleAfter = 4.8
  /// The number of beats in the trace.
  package static let beatCapacity = 120

  /// The name of the strap, as received.
  package var strap: String
  package var link: LinkState
  /// The heart rate as averaged by the strap, in bpm; straps send 0 if they have no value.
  package var heartRate: UInt16?
  package var contact = SensorContact.notSupported
  /// The battery level, in percent.
  package var battery: UInt8?
  /// Received signal strength, in dBm.
  package var signal: Int8?
  /// The last beats, the oldest first; at most `beatCapacity`.
  package private(set) var beats: [LiveBeat] = []
  private var hasGap = false
  /// The last windows of 60 s and 300 s.
  package var minute: HRVWindow?
  package var fiveMinutes: HRVWindow?
  /// All metrics of the last 300 s, computed a few seconds ago; `nil` before the first computation.
  package var detail: HRVMetrics?
  package var stress: StressResult?
  /// The reason why there is no stress level, in words.
  package var stressAbsence: String?
  /// Seconds since the session began.
  package var elapsed = 0.0
  package var notifications = 0
  package private(set) var gaps = 0
  /// Seconds since the last notification; `nil` before the first.
  package var age: Double?

  package init(strap: String, link: LinkState) {
    self.strap = strap
    self.link = link
  }

  /// Whether the heart rate is current: the link is live and the last notification is less than `staleAfter` seconds old.
  package var isCurrent: Bool {
    guard link.phase == .live, let age else { return false }
    return age < Self.staleAfter
  }

  /// Whether there is a reading that is not current.
  package var isStale: Bool { age != nil && !isCurrent }

  /// The heart rate to show, which is out of date if `isStale`; `nil` if there is no value.
  package var shownHeartRate: UInt16? { heartRate == 0 ? nil : heartRate }

  // MARK: - Taking news

  /// Appends beats and gaps in the order of time, and updates the windows.
  package mutating func append(_ batch: SessionBatch) {
    gaps += batch.gaps.count
    for (beat, followsGap) in batch.beatsAfterGaps(&hasGap) { append(beat, followsGap: followsGap) }
    for window in batch.windows {
      if window.length == .minute { minute = window }
      if window.length == .fiveMinutes { fiveMinutes = window }
    }
  }

  package mutating func append(_ beat: Beat) {
    append(beat, followsGap: hasGap)
    hasGap = false
  }

  private mutating func append(_ beat: Beat, followsGap: Bool) {
    beats.append(LiveBeat(rr: beat.rr, marks: beat.marks, followsGap: followsGap && !beats.isEmpty))
    if beats.count > Self.beatCapacity { beats.removeFirst(beats.count - Self.beatCapacity) }
  }
}
