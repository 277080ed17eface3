/// What is known of one hour or day.
package struct TrendPoint: Hashable, Sendable {
  package var start: WallTime
  /// Of which data is valid.
  package var minutes: Double
  package var meanHeartRate: Double?
  /// The lowest mean of 5 minutes.
  package var lowestHeartRate: Double?
  /// Median of the 5-minute windows.
  package var sdnn: Double?
  package var rmssd: Double?
  /// Mean level.
  package var stress: Double?
  package var highestStress: Double?

  package init(start: WallTime, minutes: Double) {
    self.start = start
    self.minutes = minutes
  }
}
