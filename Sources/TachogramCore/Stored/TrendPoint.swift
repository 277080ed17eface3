/// The values of one hour or day.
package struct TrendPoint: Hashable, Sendable {
  package var start: WallTime
  /// The number of minutes with valid data.
  package var minutes: Double
  package var meanHeartRate: Double?
  /// The lowest mean heart rate of a 5-minute window.
  package var lowestHeartRate: Double?
  /// The median SDNN of the 5-minute windows.
  package var sdnn: Double?
  package var rmssd: Double?
  /// The mean stress level.
  package var stress: Double?
  package var highestStress: Double?

  package init(start: WallTime, minutes: Double) {
    self.start = start
    self.minutes = minutes
  }
}
