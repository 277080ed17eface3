import Presentation
import TachogramCore

/// The metrics of a whole series as a table, and the medians of its segments if there are several.
struct MetricTable {
  let hrv: HRVSection

  private var hasMedians: Bool { (hrv.segments?.count ?? 0) > 1 }

  var element: Element {
    let headings = ["Metric", "Raw", "Corrected"] + (hasMedians ? ["Median of the segments"] : [])
    var table = Element("table", ["class": "metrics"])
    table.append(Element("caption", [:], "Heart-rate variability of the whole recording"))
    table.append(
      Element(
        "thead",
        children: [Element("tr", children: headings.map { Element("th", ["scope": "col"], $0) })]))
    for group in MetricGroup.allCases {
      let rows = group.metrics.filter(isSpokenOf).map(row)
      guard !rows.isEmpty else { continue }
      let heading = Element(
        "tr",
        children: [Element("th", ["scope": "rowgroup", "colspan": "\(headings.count)", "class": "group"], group.label)])
      table.append(Element("tbody", children: [heading] + rows))
    }
    return table
  }

  private func isSpokenOf(_ metric: HRVMetric) -> Bool {
    [hrv.raw, hrv.corrected].contains { $0.metrics[metric] != nil || $0.unavailable[metric.rawValue] != nil }
  }

  private func row(_ metric: HRVMetric) -> Element {
    let name = Wording.name(metric)
    var cells = [Element("th", ["scope": "row"], name.label)]
    let reasons = [hrv.raw, hrv.corrected].map { $0.metrics[metric] == nil ? $0.unavailable[metric.rawValue] : nil }
    if reasons[0] != nil, let reason = reasons[1] {
      cells.append(Element("td", ["colspan": "2", "class": "reason"], "none: \(reason)"))
    } else {
      cells += zip([hrv.raw, hrv.corrected], reasons).map { section, reason in
        cell(metric, section.metrics[metric], reason)
      }
    }
    if hasMedians { cells.append(cell(metric, hrv.segments?.corrected.median[metric.rawValue], nil)) }
    return Element("tr", children: cells)
  }

  private func cell(_ metric: HRVMetric, _ value: Double?, _ reason: String?) -> Element {
    let name = Wording.name(metric)
    if let value { return Element("td", [:], Wording.rounded(value, digits: name.digits) + name.unit) }
    return Element("td", ["class": "reason"], reason.map { "none: \($0)" } ?? "–")
  }
}
