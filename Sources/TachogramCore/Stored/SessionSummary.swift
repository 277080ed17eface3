/// A stored session with its mean values, for lists.
package struct SessionSummary: Hashable, Sendable {
  /// The means of the metrics over the windows of 300 s, or of 60 s if there are none, and the mean of the stress levels.
  package struct Means: Hashable, Sendable {
    package var meanHeartRate: Double?
    package var sdnn: Double?
    package var rmssd: Double?
    package var stress: Double?

    package init(meanHeartRate: Double? = nil, sdnn: Double? = nil, rmssd: Double? = nil, stress: Double? = nil) {
      self.meanHeartRate = meanHeartRate
      self.sdnn = sdnn
      self.rmssd = rmssd
      self.stress = stress
    }
  }

  package var record: SessionRecord
  package var means: Means

  package init(record: SessionRecord, means: Means) {
    self.record = record
    self.means = means
  }
}
