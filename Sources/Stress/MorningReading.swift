import FoundationEssentials

/// The HRV of one morning.
package struct MorningReading: Hashable, Sendable {
  package var timestamp: Date
  /// Natural logarithm of RMSSD, in ln ms.
  package var lnRMSSD: Double

  package init(timestamp: Date, lnRMSSD: Double) {
    self.timestamp = timestamp
    self.lnRMSSD = lnRMSSD
  }
}
