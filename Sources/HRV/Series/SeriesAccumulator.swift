import TachogramCore

/// What follows from the intervals of one stretch and not from their sums alone. An interval costs O(1), and the memory
/// is bounded: what is longer than `longestWhole` has no spectrum and no sample entropy as a whole, but in its segments.
package struct SeriesAccumulator: Sendable {
  /// Beats beyond which the spectrum and sample entropy are those of the segments.
  package static let longestWhole = 5000

  /// Intervals that are worked on at once: one by one, they would cost twice the time.
  private static let batch = 240

  /// The last intervals, which are in nothing of what follows yet. No gap lies among them.
  private var recent: [Double] = []
  /// Whether there is a gap before the first of them.
  private var followsGap = false
  private var series = NNSeries()
  private var count = 0
  private var histogram = IntervalHistogram()
  private var fluctuation = FluctuationAnalysis()
  private var capacity = DecelerationCapacity()

  package init() {}

  /// Adds an interval of 0 … 131 072 ms; with `followsGap` it begins a new run.
  package mutating func add(_ milliseconds: Double, followsGap: Bool) {
    if followsGap {
      work()
      self.followsGap = true
    }
    recent.append(milliseconds)
    if recent.count == Self.batch { work() }
  }

  /// Adds all intervals of a series.
  package mutating func add(_ series: NNSeries) {
    for run in series.runs {
      for place in run { add(series.intervals[place], followsGap: place == run.lowerBound) }
    }
  }

  /// Works on the recent intervals.
  private mutating func work() {
    guard !recent.isEmpty else { return }
    var intervals: [Double] = []
    swap(&intervals, &recent)
    let isWhole = count <= Self.longestWhole
    count += intervals.count
    if count <= Self.longestWhole {
      for place in intervals.indices { series.append(intervals[place], followsGap: followsGap && place == 0) }
    } else if isWhole {
      series = NNSeries()
    }
    histogram.add(intervals.span)
    fluctuation.add(intervals, followsGap: followsGap)
    capacity.add(intervals.span, followsGap: followsGap)
    intervals.removeAll(keepingCapacity: true)
    swap(&intervals, &recent)
    followsGap = false
  }

  /// As it is with no interval that is still to be worked on.
  private var complete: SeriesAccumulator {
    var complete = self
    complete.work()
    return complete
  }

  /// All metrics of the intervals, whose sums give `timeDomain`. Where they fill a stretch of `span` ms but for a part of
  /// an interval at its end, they count as so long.
  package func metrics(timeDomain: TimeDomainMetrics, span: Double = 0) -> HRVMetrics {
    complete.metricsOfComplete(timeDomain, span)
  }

  private func metricsOfComplete(_ timeDomain: TimeDomainMetrics, _ span: Double) -> HRVMetrics {
    var metrics = HRVMetrics(timeDomain: timeDomain)
    let run = series.longestRun
    let spectrum = Spectrum(run)
    let runDuration = run.reduce(0, +)
    let durations = (
      whole: max(timeDomain.duration, span),
      run: series.runStarts.count == 1 ? max(runDuration, span) : runDuration
    )
    for metric in HRVMetric.ofSeries {
      metrics.set(
        metric, refusal(of: metric, durations, spectrum).map { .missing($0) } ?? measured(metric, spectrum)
      )
    }
    return metrics
  }

  /// The spectrum of the longest run; `nil` where there is none, or too many beats.
  package var spectrum: Spectrum? { Spectrum(complete.series.longestRun) }

  /// Why a metric is not even computed.
  private func refusal(
    of metric: HRVMetric, _ durations: (whole: Double, run: Double), _ spectrum: Spectrum?
  ) -> UnavailableReason? {
    if count == 0 { return .noIntervals }
    let isSpectral = metric.isOfOrder && metric != .dfaAlpha1
    if count > Self.longestWhole, isSpectral || metric == .sampleEntropy {
      return .tooManyBeats(count: count, limit: Self.longestWhole)
    }
    // The spectrum is of one run, so that it is that which must be long enough.
    let duration = isSpectral ? durations.run : durations.whole
    if duration < metric.minimumSeconds * 1000 {
      return .tooShort(seconds: duration / 1000, minimum: metric.minimumSeconds)
    }
    return isSpectral && spectrum == nil ? .tooFew(count: count, minimum: 2) : nil
  }

  private func measured(_ metric: HRVMetric, _ spectrum: Spectrum?) -> Measured {
    switch metric {
    case .triangularIndex: return histogram.triangularIndex
    case .baevskyStressIndex: return histogram.stressIndex
    case .dfaAlpha1: return fluctuation.alpha()
    case .sampleEntropy: return SampleEntropy.measured(series)
    case .decelerationCapacity: return capacity.measured
    default: return spectrum.map { Self.measured(metric, $0) } ?? .missing(.noIntervals)
    }
  }

  private static func measured(_ metric: HRVMetric, _ spectrum: Spectrum) -> Measured {
    switch metric {
    case .vlf: return .value(spectrum.power(.vlf))
    case .lf: return .value(spectrum.power(.lf))
    case .hf: return .value(spectrum.power(.hf))
    case .totalPower: return .value(spectrum.power(.vlf) + spectrum.power(.lf) + spectrum.power(.hf))
    case .lfhf:
      let hf = spectrum.power(.hf)
      return hf > 0 ? .value(spectrum.power(.lf) / hf) : .missing(.noSpread)
    default: return RespirationRate.measured(spectrum)
    }
  }
}
