import FoundationEssentials
import Presentation
import StressKit
import TachogramCore

/// Readings for the live view.
enum LiveSample {
  static let plain = TerminalStyle(colour: false, unicode: false)
  static let rich = TerminalStyle(colour: true, unicode: true)

  /// A strap on which everything works.
  static func live(_ name: String = "Polar H10 A1B2C3D4") -> LiveReading {
    var reading = LiveReading(strap: name, link: link(.live))
    reading.heartRate = 72
    reading.contact = .detected
    reading.battery = 85
    reading.signal = -62
    reading.age = 0.4
    reading.elapsed = 754
    reading.notifications = 754
    var batch = SessionBatch()
    batch.beats = (0..<130).map { beat($0, ticks: UInt16(820 + ($0 * 37) % 60)) }
    batch.beats[110] = beat(110, ticks: 2500)
    batch.gaps = [gap(after: 99)]
    batch.windows = [window(60, seconds: 59, sdnn: 50.94), window(300, seconds: 299, sdnn: 61.2)]
    reading.append(batch)
    reading.stress = stress(34.2)
    return reading
  }

  /// All metrics of five minutes, of which those that the live view shows have these values.
  static func detail(lfhf: Double, alpha: Double, breaths: Measured) -> HRVMetrics {
    var metrics = HRVMetrics(timeDomain: window(300, seconds: 299, sdnn: 61.2).metrics)
    metrics.set(.lfhf, .value(lfhf))
    metrics.set(.dfaAlpha1, .value(alpha))
    metrics.set(.respirationRate, breaths)
    return metrics
  }

  /// One that was live, and is heard no more.
  static func stale(age: Double = 7.4, phase: LinkPhase = .silent, reason: LinkReason? = .silence) -> LiveReading {
    var reading = live()
    reading.age = age
    reading.link = link(phase, reason)
    return reading
  }

  /// One of which nothing is known.
  static func empty(_ name: String = "") -> LiveReading {
    var reading = LiveReading(strap: name, link: link(.scanning))
    reading.stressAbsence = "there are no RR intervals"
    return reading
  }

  /// Numbers that no strap should send.
  static var absurd: LiveReading {
    var reading = live("\u{1B}[2J\u{202E}心率帯🫀" + String(repeating: "é\u{301}", count: 300))
    reading.heartRate = .max
    reading.battery = .max
    reading.signal = .min
    reading.age = .infinity
    reading.elapsed = .nan
    reading.notifications = .max
    var batch = SessionBatch()
    batch.beats = [beat(0, ticks: 0), beat(1, ticks: .max)]
    batch.windows = [window(300, seconds: .infinity, sdnn: .nan)]
    reading.append(batch)
    reading.stress = stress(.nan)
    reading.detail = detail(lfhf: .infinity, alpha: .nan, breaths: .value(-.infinity))
    return reading
  }

  static func link(_ phase: LinkPhase, _ reason: LinkReason? = nil) -> LinkState {
    LinkState(phase: phase, reason: reason, since: time(0))
  }

  static func beat(_ second: Int, ticks: UInt16) -> Beat {
    let rr = RRInterval(ticks: ticks)
    return Beat(
      sequence: Int64(second), time: time(second), rr: rr, ledgerSequence: 0, marks: BeatMarks(rr, hasContact: true))
  }

  static func gap(after second: Int) -> BeatGap {
    BeatGap(
      sequence: 0, start: time(second), end: time(second).advanced(byMicroseconds: 10), reason: .lost, ledgerSequence: 0
    )
  }

  static func window(_ length: WindowLength, seconds: Double, sdnn: Double?) -> HRVWindow {
    var values = HRVValues()
    values.rmssd = 42.13
    values.sdnn = sdnn
    return HRVWindow(
      length: length, end: time(0), coverage: 0.98, artifactShare: 0.02,
      metrics: TimeDomainMetrics(count: 70, pairCount: 69, duration: seconds * 1000, values: values))
  }

  static func stress(_ level: Double) -> StressResult {
    StressResult(
      level: level, category: StressCategory(level: level), confidence: 0.8, hrv: 42, heartRate: 70,
      timestamp: Date(timeIntervalSince1970: 0))
  }

  private static func time(_ second: Int) -> MonotonicTime {
    MonotonicTime(microseconds: Int64(second) * 1_000_000)
  }
}
