import TachogramCore

/// A score of a night, 0 … 100. There is no standard for such scores; this one is
///
///     40 · ramp(TST, 4 h → 7 h) + 30 · ramp(SE, 65 % → 85 %) + 20 · ramp(WASO, 80 min → 20 min) + 10 · ramp(SOL, 90 min → 30 min)
///
/// where ramp(x, a → b) is 0 up to a, 1 from b, and linear in between. WASO is the wake within the sleep period. Full marks
/// are the recommendations for adults: at least 7 h (Watson et al. 2015, Sleep 38:843–844); SE of at least 85 %, WASO of at most
/// 20 min and SOL of at most 30 min (Ohayon et al. 2017, Sleep Health 3:6–19). The other ends and the weights were chosen.
package enum SleepQualityScore {
  /// The largest share of unknown epochs with which a night has a score.
  package static let maximumUnknownShare = 0.2

  /// The formula for people.
  package static let formula = """
    40 points for the time asleep (4 to 7 hours), 30 for the efficiency (65 to 85 %), 20 for little time awake after falling \
    asleep (80 to 20 minutes), 10 for falling asleep soon (90 to 30 minutes). No standard exists for such scores.
    """

  /// Returns the score of a night; 0 without sleep, and `nil` for a night without epochs or with too many unknown ones.
  package static func score(_ metrics: SleepMetrics) -> Double? {
    guard metrics.timeInBed > 0, metrics.minutes(of: .unknown) <= maximumUnknownShare * metrics.timeInBed else {
      return nil
    }
    guard let efficiency = metrics.sleepEfficiency, let wake = metrics.wakeWithinSleepPeriod,
      let latency = metrics.sleepOnsetLatency
    else { return 0 }
    return 40 * ramp(metrics.totalSleepTime, from: 240, to: 420) + 30 * ramp(efficiency, from: 65, to: 85)
      + 20 * ramp(wake, from: 80, to: 20) + 10 * ramp(latency, from: 90, to: 30)
  }

  private static func ramp(_ value: Double, from zero: Double, to one: Double) -> Double {
    min(1, max(0, (value - zero) / (one - zero)))
  }
}
