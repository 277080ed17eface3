import Foundation
import GATT
import TachogramCore

/// A simulated strap: generates beats, and the notifications in which a real strap would send them.
package struct SimulatedStrap: Sendable {
  /// A notification as sent by the strap.
  package struct Notification: Sendable {
    /// Arrival, in microseconds since the strap was switched on.
    package var arrival: Int64
    package var measurement: HeartRateMeasurement
    package var value: [UInt8]
  }

  /// The duration of wearing, in seconds.
  package var duration = 360
  /// Mean heart rate at a moment, in bpm; the argument is seconds since the start.
  package var heartRate: @Sendable (Double) -> Double = { _ in 62 }
  /// Amplitude of the breathing rhythm (0.25 Hz), in ms.
  package var breathing = 40.0
  /// Amplitude of the slow rhythm (0.1 Hz), in ms.
  package var slowWave = 25.0
  /// The spread of the random component, in ms.
  package var noise = 12.0
  /// The drift of the strap's crystal against the receiver's, in parts per million.
  package var driftPPM = 0.0
  /// The maximum random delay of a notification, in microseconds.
  package var jitter: Int64 = 15_000
  package var contact: @Sendable (Int) -> SensorContact = { _ in .detected }
  /// Energy expended at a second, in kJ.
  package var energy: (@Sendable (Int) -> UInt16?)?
  /// Whether the rate is sent in 16 bits even where 8 suffice.
  package var wideRate = false
  package var seed: UInt64 = 1

  package init() {}

  /// Returns the notifications, one a second, each with the beats that ended since the previous one.
  package func notifications() -> [Notification] {
    var random = SplitMix64(seed: seed)
    var ticks: Int64 = 0
    var pending: (end: Int64, ticks: UInt16)?
    var recent: [Double] = []
    return (1...max(1, duration)).map { second in
      var intervals: [RRInterval] = []
      while true {
        let next = pending ?? nextBeat(after: ticks, &random)
        pending = next
        guard next.end <= Int64(second) * RRInterval.ticksPerSecond else { break }
        pending = nil
        ticks = next.end
        intervals.append(RRInterval(ticks: next.ticks))
        recent.append(RRInterval(ticks: next.ticks).milliseconds)
      }
      recent = recent.suffix(8)
      let mean = recent.isEmpty ? 0 : recent.reduce(0, +) / Double(recent.count)
      let measurement = HeartRateMeasurement(
        heartRate: mean > 0 ? UInt16((60_000 / mean).rounded()) : 0, contact: contact(second),
        energyExpended: energy?(second), rrIntervals: RRIntervals(intervals))
      let sent = Double(second) * 1e6 * (1 - driftPPM / 1e6)
      return Notification(
        arrival: Int64(sent) + Int64(random.unit() * Double(jitter)), measurement: measurement,
        value: HeartRateMeasurementCodec.encode(measurement, wideRate: wideRate))
    }
  }

  private func nextBeat(after ticks: Int64, _ random: inout SplitMix64) -> (end: Int64, ticks: UInt16) {
    let time = Double(ticks) / 1024
    let milliseconds =
      60_000 / heartRate(time) + breathing * sin(2 * .pi * 0.25 * time) + slowWave * sin(2 * .pi * 0.1 * time)
      + noise * (random.unit() - 0.5)
    let length = UInt16(min(65_535, max(1, (milliseconds * 1024 / 1000).rounded())))
    return (ticks + Int64(length), length)
  }
}
