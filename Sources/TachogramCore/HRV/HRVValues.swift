/// The values of the time-domain metrics: ms, but bpm for the heart rate, ln ms for lnRMSSD and percent for pNNx.
/// Definitions: docs/metrics.md (Task Force 1996, Eur Heart J 17:354–381; Brennan 2001, IEEE TBME 48:1342–1347).
package struct HRVValues: Hashable, Sendable {
  package var meanNN: Double?
  package var meanHeartRate: Double?
  package var sdnn: Double?
  package var rmssd: Double?
  package var lnRMSSD: Double?
  package var sdsd: Double?
  package var pnn50: Double?
  package var pnn20: Double?
  package var sd1: Double?
  package var sd2: Double?

  @inlinable
  package init() {}
}
