import Presentation
import StressKit
import TachogramCore

/// The live view without a screen: a line for each notification, or for a second without one.
package struct LiveText: Sendable {
  package var unicode = false

  package init(unicode: Bool = false) {
    self.unicode = unicode
  }

  /// Returns one line, with its line end. Its parts have a fixed order: time, strap, heart rate, `RR` and the intervals in ms
  /// since the last line, `no contact` if the strap reports it, RMSSD of the last minute, stress, link. A stale reading has
  /// its age in the place of the heart rate.
  package func text(_ reading: LiveReading, time: WallTime, rr: [RRInterval]) -> String {
    let words = LiveWording(unicode: unicode)
    var parts = [Timestamp.text(time), words.strap(reading), rate(reading)]
    parts.append(
      rr.isEmpty ? "RR none" : "RR " + rr.map { LiveWording.number($0.milliseconds) }.joined(separator: " ") + " ms")
    if reading.contact == .notDetected { parts.append("no contact") }
    let old = reading.isStale ? "stale " : ""
    if let rmssd = reading.minute?.metrics[.rmssd] {
      parts.append("\(old)RMSSD \(LiveWording.number(rmssd)) ms")
    } else {
      parts.append("RMSSD none")
    }
    if let stress = reading.stress {
      parts.append("\(old)stress \(stress.category.displayName.lowercased()) \(LiveWording.number(stress.level))")
    } else {
      parts.append("stress none")
    }
    parts.append(LinkWording.text(reading.link))
    return parts.joined(separator: "  ") + "\n"
  }

  private func rate(_ reading: LiveReading) -> String {
    if let stale = LiveWording.staleness(reading) { return stale }
    guard reading.isCurrent, let rate = reading.shownHeartRate else { return "no heart rate" }
    return "\(rate) bpm"
  }
}
