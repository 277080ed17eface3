import HRV
import TachogramCore

/// The raw and corrected intervals of a series for plots, 24 bytes each. They are kept only on request.
package struct SeriesTrace: Hashable, Sendable {
  /// An interval with its end and its class.
  package struct Interval: Hashable, Sendable {
    package let milliseconds: Double
    /// The end of the interval.
    package let end: MonotonicTime
    /// The class of a raw interval, or the class of the artifact that a corrected interval replaces.
    package internal(set) var beatClass: BeatClass
    /// Whether there is a gap before the interval.
    package let followsGap: Bool

    package init(milliseconds: Double, end: MonotonicTime, beatClass: BeatClass = .normal, followsGap: Bool = false) {
      self.milliseconds = milliseconds
      self.end = end
      self.beatClass = beatClass
      self.followsGap = followsGap
    }

    /// The start of the interval.
    package var start: MonotonicTime { end.advanced(byMilliseconds: -milliseconds) }
  }

  /// The raw intervals.
  package internal(set) var raw: [Interval] = []
  /// The intervals after artifact correction.
  package internal(set) var corrected: [Interval] = []
  /// The start of the series: the start of its first interval, unless the length of that interval is unusable.
  package internal(set) var start: MonotonicTime?
  /// The spectrum of the corrected intervals, or `nil` if there are too many or too few of them.
  package internal(set) var spectrum: Spectrum?

  package init(
    raw: [Interval], corrected: [Interval], start: MonotonicTime? = nil, spectrum: Spectrum? = nil,
  ) {
    self.raw = raw
    self.corrected = corrected
    self.start = start ?? raw.first?.start
    self.spectrum = spectrum
  }

  /// Returns the spectra of the corrected intervals of the 5-minute segments with these numbers, in order of time.
  package func spectra(ofSegments numbers: Set<Int>) -> [Spectrum] {
    guard let start else { return [] }
    var spectra: [Spectrum] = []
    var series = NNSeries()
    var current = 0
    func close() {
      if numbers.contains(current), let spectrum = Spectrum(series.longestRun) { spectra.append(spectrum) }
      series.removeAll()
    }
    for interval in corrected {
      let number = SegmentSeries.number(of: interval.end, since: start)
      if number != current {
        close()
        current = number
      }
      series.append(interval.milliseconds, followsGap: interval.followsGap)
    }
    close()
    return spectra
  }

  /// Sets the classes of the raw intervals at these positions.
  mutating func mark(_ positions: [BeatClass: [Int]]) {
    for (beatClass, places) in positions {
      for place in places where raw.indices.contains(place) { raw[place].beatClass = beatClass }
    }
  }
}
