/// A stored session with what it amounts to, as lists show it.
package struct SessionSummary: Hashable, Sendable {
  /// Means over the windows of 300 s, or of 60 s where there is none; of the stress levels.
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
