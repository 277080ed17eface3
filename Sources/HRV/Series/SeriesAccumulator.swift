import TachogramCore

/// What follows from the intervals of one stretch and not from their sums alone. An interval costs O(1), and the memory
/// is bounded: what is longer than `longestWhole` has no spectrum and no sample entropy as a whole, but in its segments.
package struct SeriesAccumulator: Sendable {
  /// Beats beyond which the spectrum and sample entropy are those of the segments.
  package static let longestWhole = 5000

  private var series = NNSeries()
  private var count = 0
  private var histogram = IntervalHistogram()
  private var fluctuation = FluctuationAnalysis()
  private var capacity = DecelerationCapacity()

  package init() {}

  /// Adds an interval of 0 … 131 072 ms; with `followsGap` it begins a new run.
  package mutating func add(_ milliseconds: Double, followsGap: Bool) {
    count += 1
    if count <= Self.longestWhole {
      series.append(milliseconds, followsGap: followsGap)
    } else if count == Self.longestWhole + 1 {
      series = NNSeries()
    }
    histogram.add(milliseconds)
    fluctuation.add(milliseconds, followsGap: followsGap)
    capacity.add(milliseconds, followsGap: followsGap)
  }

  /// Adds all intervals of a series.
  package mutating func add(_ series: NNSeries) {
    for run in series.runs {
      for place in run { add(series.intervals[place], followsGap: place == run.lowerBound) }
    }
  }

  /// All metrics of the intervals, whose sums give `timeDomain`. Where they fill a stretch of `span` ms but for a part of
  /// an interval at its end, they count as so long.
  package func metrics(timeDomain: TimeDomainMetrics, span: Double = 0) -> HRVMetrics {
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
  package var spectrum: Spectrum? { Spectrum(series.longestRun) }

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
