import TachogramCore

/// The last reading of a strap. Values that are not finite or not plausible are absent.
package struct GlanceReading: Hashable, Sendable {
  /// The highest heart rate that is shown, in bpm, exclusive; straps send up to 65 535.
  static let heartRateLimit = 400.0
  /// The highest RMSSD and SDNN that are shown, in ms, exclusive.
  static let hrvLimit = 1000.0

  /// The time of the last notification behind the values.
  package let time: WallTime
  /// The heart rate, in bpm.
  package let heartRate: Double?
  /// The stress level; `nil` if there is none, for example before the baseline is known.
  package let stress: GlanceStress?
  /// RMSSD of the last five minutes, in ms.
  package let rmssd: Double?
  /// SDNN of the last five minutes, in ms.
  package let sdnn: Double?
  /// Whether the station considers the reading current.
  package let isCurrent: Bool

  /// Creates a reading; `heartRate` in bpm (0 means that there is none), `rmssd` and `sdnn` in ms.
  package init(
    time: WallTime, heartRate: Double? = nil, stress: GlanceStress? = nil, rmssd: Double? = nil, sdnn: Double? = nil,
    isCurrent: Bool,
  ) {
    self.time = time
    self.heartRate = Self.valid(heartRate, below: Self.heartRateLimit)
    self.stress = stress
    self.rmssd = Self.valid(rmssd, below: Self.hrvLimit)
    self.sdnn = Self.valid(sdnn, below: Self.hrvLimit)
    self.isCurrent = isCurrent
  }

  /// Returns a value that is greater than 0 and less than `limit`, else `nil`.
  static func valid(_ value: Double?, below limit: Double) -> Double? {
    guard let value, value > 0, value < limit else { return nil }
    return value
  }
}
