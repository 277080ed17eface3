import TachogramCore

/// An epoch of 30 s of a night in exports.
package struct NightEpoch: Hashable, Sendable {
  package let stage: SleepStage
  /// The mean heart rate in beats per minute, or `nil` if no interval within the range of a heart ends in it.
  package let heartRate: Double?
  /// The intensity of the movement in milli-g, or `nil` if it was not measured.
  package let movement: Double?
}
