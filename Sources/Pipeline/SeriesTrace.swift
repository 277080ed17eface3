import HRV
import TachogramCore

/// The intervals of a series as plots show them, 24 bytes each, raw and corrected; kept where they were asked for.
package struct SeriesTrace: Hashable, Sendable {
  /// An interval in its place.
  package struct Interval: Hashable, Sendable {
    package let milliseconds: Double
    /// When it ended.
    package let end: MonotonicTime
    /// What it turned out to be, or what was mended in it.
    package internal(set) var beatClass: BeatClass
    /// Whether there is a gap before it.
    package let followsGap: Bool

    package init(milliseconds: Double, end: MonotonicTime, beatClass: BeatClass = .normal, followsGap: Bool = false) {
      self.milliseconds = milliseconds
      self.end = end
      self.beatClass = beatClass
      self.followsGap = followsGap
    }

    /// When it began.
    package var start: MonotonicTime { end.advanced(byMilliseconds: -milliseconds) }
  }

  /// As they came.
  package internal(set) var raw: [Interval] = []
  /// With their artifacts mended.
  package internal(set) var corrected: [Interval] = []
  /// When the series begins: where its first interval does, unless that is a gap whose length is not known.
  package internal(set) var start: MonotonicTime?
  /// Of the corrected intervals; `nil` where they are too many or too few for one spectrum.
  package internal(set) var spectrum: Spectrum?

  package init(
    raw: [Interval], corrected: [Interval], start: MonotonicTime? = nil, spectrum: Spectrum? = nil,
  ) {
    self.raw = raw
    self.corrected = corrected
    self.start = start ?? raw.first?.start
    self.spectrum = spectrum
  }

  /// The spectra of the 5-minute segments with these numbers, of the corrected intervals, in order of time.
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

  /// Writes the classes of raw intervals to their places.
  mutating func mark(_ positions: [BeatClass: [Int]]) {
    for (beatClass, places) in positions {
      for place in places where raw.indices.contains(place) { raw[place].beatClass = beatClass }
    }
  }
}
