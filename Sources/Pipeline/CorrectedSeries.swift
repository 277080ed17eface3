import Beats
import HRV
import TachogramCore

/// The series behind artifact correction, and its metrics. An interval that was mended counts as an interval, and its
/// differences from its neighbours do not count: what the mending made up is no variability.
struct CorrectedSeries: CorrectedIntervalSink, Sendable {
  private var sums = TimeDomainAccumulator()
  private var last: NNInterval?

  var metrics: TimeDomainMetrics { sums.metrics() }

  mutating func take(_ interval: CorrectedInterval, followsGap: Bool) {
    let isMended = interval.beatClass != .normal
    let nn = NNInterval(milliseconds: interval.milliseconds)
    sums.add(nn, after: followsGap || isMended ? nil : last)
    last = isMended ? nil : nn
  }
}
