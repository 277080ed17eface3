import Pipeline
import Presentation
import TachogramCore

/// The report of one input as a self-contained page: it has no script, font or image from elsewhere. It is also well-formed
/// XML, and byte-identical for the same input and version.
package struct HTMLReport {
  private let page: Element

  /// The page as text, with a line end.
  package var text: String {
    var text = "<!DOCTYPE html>\n"
    page.write(to: &text)
    return text
  }

  /// Creates a page. `name` is the name of the input, and `series` contains its intervals.
  package init(name: String, _ report: InputReport, _ series: SeriesReport, options: AnalysisOptions, version: String) {
    let name = TerminalText.safe(name)
    let hrv = report.main.hrv
    let head = Element(
      "head",
      children: [
        Element("meta", ["charset": "utf-8"]),
        Element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
        Element("meta", ["name": "color-scheme", "content": "light dark"]),
        Element("meta", ["name": "referrer", "content": "no-referrer"]),
        Element("meta", ["name": "generator", "content": "tachogram \(version)"]),
        Element("title", [:], "\(name) – Tachogram"), Element("style", [:], PageStyle.text),
      ])
    var main = Element("main")
    main.append(
      Element(
        "header",
        children: [
          Element("h1", ["dir": "auto"], name), Element("p", [:], "Heart-rate variability by tachogram \(version)"),
        ]))
    main.append(HTMLSummary(report: report, options: options, version: version).element)
    main.append(Self.section("plots", "Plots", Self.plots(hrv, series)))
    main.append(
      Self.section("numbers", "Numbers", [MetricTable(hrv: hrv).element] + Self.notes(hrv, series)))
    main.append(
      Element(
        "footer",
        children: [
          Element(
            "p", [:],
            "Of a fitness sensor, not a medical device: these numbers are no diagnosis. What each of them means exactly is "
              + "in docs/metrics.md of the program.")
        ]))
    page = Element(
      "html", ["xmlns": "http://www.w3.org/1999/xhtml", "lang": "en"],
      children: [head, Element("body", children: [main])])
  }

  private static func plots(_ hrv: HRVSection, _ series: SeriesReport) -> [Element] {
    guard let trace = series.trace, let span = SeriesSpan(trace) else {
      return [Element("p", [:], "There are no RR intervals to draw.")]
    }
    let segments = series.segments.corrected
    var figures = [
      TachogramPlot(trace: trace, span: span).figure, HeartRatePlot(trace: trace, span: span).figure,
      PoincarePlot(trace: trace, metrics: hrv.corrected).figure, HistogramPlot(trace: trace).figure,
    ]
    let spectrum = SpectrumPlot(trace: trace, hrv: hrv, segments: series.segments).figure
    figures.append(spectrum)
    figures += SegmentStrip.metrics.map { SegmentStrip(metric: $0, segments: segments, span: span).figure }
    var elements = [Element("div", ["class": "plots"], children: figures.compactMap { $0?.element })]
    if spectrum == nil {
      let reason = hrv.corrected.unavailable[HRVMetric.hf.rawValue] ?? "no segment has one"
      elements.append(Element("p", [:], "There is no spectrum: \(reason)."))
    }
    return elements
  }

  private static func notes(_ hrv: HRVSection, _ series: SeriesReport) -> [Element] {
    var notes: [String] = []
    if hrv.raw.ultraShort {
      notes.append("The recording is below 4 minutes: its SDNN is not comparable with 5-minute norms.")
    }
    if hrv.irregularShare > 0 {
      notes.append(
        "The rhythm is irregular in \(Wording.rounded(hrv.irregularShare * 100)) % of the recording, by 5-minute segments."
      )
    }
    if let share = hrv.repeatedShare {
      notes.append(
        "The intervals repeat themselves in \(Wording.rounded(share * 100)) % of the recording, by 5-minute segments.")
    }
    if let segments = hrv.segments, segments.count > 1 {
      notes.append(
        "The median is of those of the \(segments.count) complete 5-minute segments that have a value, corrected.")
    }
    return notes.map { Element("p", [:], $0) }
  }

  private static func section(_ id: String, _ title: String, _ children: [Element]) -> Element {
    Element(
      "section", ["aria-labelledby": "\(id)-heading"],
      children: [Element("h2", ["id": "\(id)-heading"], title)] + children)
  }
}
