import HRV
import Pipeline
import Presentation
import TachogramCore

/// The power spectrum with its bands, of the whole recording or as the median of its 5-minute segments.
struct SpectrumPlot {
  private static let bands: [(band: Spectrum.Band, label: String, metric: HRVMetric)] = [
    (.vlf, "VLF", .vlf), (.lf, "LF", .lf), (.hf, "HF", .hf),
  ]
  private static let top = 0.4
  /// The numbers of frequency bins of the whole recording, and of segments, whose own grid is 1/1200 Hz.
  private static let (fineBins, segmentBins) = (240, 120)

  /// A spectrum as drawn: the mean density of each bin, or `nil` if it has no density or is below the bands.
  private typealias Curve = [Double?]

  let trace: SeriesTrace
  let hrv: HRVSection
  let segments: SeriesReport.Segments

  /// The figure, or `nil` if neither the whole recording nor a segment has published powers.
  var figure: PlotFigure? {
    if let spectrum = trace.spectrum, hrv.corrected.metrics[.hf] != nil {
      let powers = Self.bands.map { hrv.corrected.metrics[$0.metric] }
      return figure([Self.curve(spectrum, bins: Self.fineBins)], powers, of: "the whole recording")
    }
    let numbers = Set(segments.corrected.filter { $0.metrics[.hf] != nil }.map(\.number))
    let curves = trace.spectra(ofSegments: numbers).map { Self.curve($0, bins: Self.segmentBins) }
    guard !curves.isEmpty else { return nil }
    let powers = Self.bands.map { hrv.segments?.corrected.median[$0.metric.rawValue] }
    let quartiles = [0.5, 0.25, 0.75].map { Self.quantile($0, of: curves) }
    let number = curves.count == 1 ? "one 5-minute segment" : "\(curves.count) 5-minute segments"
    return figure(quartiles, powers, of: number)
  }

  /// Draws the first curve as the line; a second and a third curve are the bounds of a ribbon around it.
  private func figure(_ curves: [Curve], _ powers: [Double?], of what: String) -> PlotFigure {
    // Numbers of five digits are too wide.
    let highest = curves.flatMap { $0.compactMap(\.self) }.max() ?? 1
    let unit = highest >= 10_000 ? 1000.0 : 1
    let curves = curves.map { $0.map { $0.map { $0 / unit } } }
    let frame = PlotFrame(
      areaWidth: 640, areaHeight: 200, x: ValueScale(low: 0, high: Self.top),
      y: ValueScale(low: 0, high: max(1e-3, highest / unit * 1.12)))
    let axes = frame.axes(
      x: PlotFrame.ticks(frame.x, most: 5, digits: 1),
      y: PlotFrame.ticks(frame.y, most: 5, digits: highest / unit < 5 ? 2 : 0), xTitle: "frequency (Hz)",
      yTitle: "density (\(unit > 1 ? "1000 " : "")ms²/Hz)")
    let ribbon = curves.count == 3 ? [Self.ribbon(curves[1], curves[2], frame)] : []
    var line = PathData()
    for (place, density) in curves[0].enumerated() {
      if let density { line.line(to: Self.px(place, curves[0].count, frame), frame.py(density)) }
    }
    var keys = [
      PlotFigure.Key(
        sign: .line, style: "corrected", text: ribbon.isEmpty ? "of \(what), corrected" : "median of \(what), corrected"
      )
    ]
    if !ribbon.isEmpty { keys.append(PlotFigure.Key(sign: .area, style: "ribbon", text: "the middle half of them")) }
    let texts = Self.texts(powers)
    keys += zip(Self.bands, texts).map { PlotFigure.Key(sign: .area, style: Self.style($0.label), text: $1) }
    return PlotFigure(
      id: "spectrum", title: "Spectrum",
      description: "Lomb–Scargle spectrum of \(what), corrected. \(texts.joined(separator: "; ")).", frame: frame,
      content: Self.shades(frame) + axes + Self.names(frame) + ribbon + [
        Element("path", ["class": "corrected", "d": line.text])
      ], keys: keys)
  }

  // MARK: - Drawing

  private static func style(_ label: String) -> String { "band-\(label.lowercased())" }

  private static func shades(_ frame: PlotFrame) -> [Element] {
    bands.map { band, label, _ in
      var path = PathData()
      frame.stretch(band.range.lowerBound...band.range.upperBound, into: &path)
      return Element("path", ["class": style(label), "d": path.text])
    }
  }

  private static func names(_ frame: PlotFrame) -> [Element] {
    bands.map { band, label, _ in
      let middle = (band.range.lowerBound + band.range.upperBound) / 2
      return PlotFrame.text(frame.px(middle), frame.areaTop + 20, label, anchor: "middle")
    }
  }

  /// Returns the bands with their powers.
  private static func texts(_ powers: [Double?]) -> [String] {
    zip(bands, powers).map { band, power in
      "\(band.label) \(Wording.rounded(band.band.range.lowerBound, digits: band.band == .vlf ? 4 : 2)) to "
        + "\(Wording.rounded(band.band.range.upperBound, digits: 2)) Hz: "
        + (power.map { "\(Wording.rounded($0)) ms²" } ?? "no value")
    }
  }

  private static func ribbon(_ low: Curve, _ high: Curve, _ frame: PlotFrame) -> Element {
    var path = PathData()
    for (place, density) in low.enumerated() {
      if let density { path.line(to: px(place, low.count, frame), frame.py(density)) }
    }
    for (place, density) in high.enumerated().reversed() {
      if let density { path.line(to: px(place, high.count, frame), frame.py(density)) }
    }
    path.close()
    return Element("path", ["class": "ribbon", "d": path.text])
  }

  private static func px(_ place: Int, _ count: Int, _ frame: PlotFrame) -> Double {
    frame.px((Double(place) + 0.5) / Double(count) * top)
  }

  // MARK: - Reducing

  private static func curve(_ spectrum: Spectrum, bins: Int) -> Curve {
    var sums = [(sum: Double, count: Int)](repeating: (0, 0), count: bins)
    for place in spectrum.density.indices {
      let bin = Int(spectrum.frequency(place) / top * Double(bins))
      guard sums.indices.contains(bin) else { continue }
      sums[bin].sum += spectrum.density[place]
      sums[bin].count += 1
    }
    return sums.enumerated().map { bin, sum in
      let isInBands = (Double(bin) + 0.5) / Double(bins) * top >= Spectrum.Band.vlf.range.lowerBound
      return isInBands && sum.count > 0 ? sum.sum / Double(sum.count) : nil
    }
  }

  /// Returns the quantile of each bin over the curves that have a value there.
  private static func quantile(_ share: Double, of curves: [Curve]) -> Curve {
    (curves.first ?? []).indices.map { bin in
      let values = curves.compactMap { $0[bin] }.sorted()
      guard !values.isEmpty else { return nil }
      let place = share * Double(values.count - 1)
      let below = Int(place.rounded(.down))
      let above = min(values.count - 1, below + 1)
      return values[below] + (values[above] - values[below]) * (place - Double(below))
    }
  }
}
