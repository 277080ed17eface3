import TachogramCore

/// Computes the metrics of one stretch that require the intervals and not only their sums. An interval costs O(1), and the
/// memory is bounded: a stretch with more than `longestWhole` beats has no spectrum or sample entropy as a whole, only in its
/// segments.
package struct SeriesAccumulator: Sendable {
  /// The number of beats above which the spectrum and sample entropy are computed only for the segments.
  package static let longestWhole = 5000

  /// The number of intervals that are processed at once. Processing them one by one would take twice the time.
  private static let batch = 240

  /// The last intervals, which are not yet processed. There are no gaps between them.
  private var recent: [Double] = []
  /// Whether there is a gap before the first of them.
  private var followsGap = false
  private var series = NNSeries()
  private var count = 0
  private var histogram = IntervalHistogram()
  private var fluctuation = FluctuationAnalysis()
  private var capacity = DecelerationCapacity()

  package init() {}

  /// Appends an interval of 0 … 131 072 ms. With `followsGap`, it begins a new run.
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

  /// Processes the recent intervals.
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

  /// A copy in which all intervals are processed.
  private var complete: SeriesAccumulator {
    var complete = self
    complete.work()
    return complete
  }

  /// Returns all metrics of the intervals; `timeDomain` are those that follow from their sums. The intervals count as at least
  /// `span` ms long, for a stretch of that length that they fill except for part of an interval at its end.
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

  /// The spectrum of the longest run, or `nil` if there are too few or too many beats.
  package var spectrum: Spectrum? { Spectrum(complete.series.longestRun) }

  /// Returns the reason why a metric cannot be computed, or `nil` if it can.
  private func refusal(
    of metric: HRVMetric, _ durations: (whole: Double, run: Double), _ spectrum: Spectrum?
  ) -> UnavailableReason? {
    if count == 0 { return .noIntervals }
    let isSpectral = metric.isOfOrder && metric != .dfaAlpha1
    if count > Self.longestWhole, isSpectral || metric == .sampleEntropy {
      return .tooManyBeats(count: count, limit: Self.longestWhole)
    }
    // The spectrum is computed from one run, so that this run must be long enough.
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
