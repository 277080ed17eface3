import Presentation
import TachogramCore

/// The metrics of a whole series as readable lines, in two blocks side by side: time domain, Poincaré and segments on the left,
/// distribution, spectrum and order on the right, each with the raw and the corrected value.
struct MetricsTable {
  private static let blocks: [(groups: [MetricGroup], labelWidth: Int)] = [
    ([.timeDomain, .poincare, .segments], 11), ([.distribution, .spectrum, .order], 16),
  ]
  private static let widths = (raw: 8, corrected: 10)
  private static let between = "  "

  /// The lines, at most 76 columns wide, of which the first is a heading. Empty if there are no metrics.
  let lines: [String]

  /// Creates the lines. Metrics with neither a raw nor a corrected value are omitted.
  init(raw: MetricsSection, corrected: MetricsSection) {
    let blocks = Self.blocks.map { block in
      let metrics = block.groups.flatMap(\.metrics).filter { raw.metrics[$0] != nil || corrected.metrics[$0] != nil }
      let rows = metrics.map { metric in
        let name = Wording.name(metric)
        let short = Self.short(metric) ?? name
        return Self.row(
          short.label, Self.number(raw.metrics[metric], name.digits),
          Self.number(corrected.metrics[metric], name.digits),
          unit: short.unit, labelWidth: block.labelWidth)
      }
      return rows.isEmpty ? [] : [Self.row("", "raw", "corrected", unit: "", labelWidth: block.labelWidth)] + rows
    }
    let width = blocks.first?.map(\.count).max() ?? 0
    lines = (0..<(blocks.map(\.count).max() ?? 0)).map { place in
      let left = blocks[0].indices.contains(place) ? blocks[0][place] : ""
      guard blocks[1].indices.contains(place) else { return Self.trimmed(left) }
      let filled = left + String(repeating: " ", count: width - left.count)
      return Self.trimmed(width == 0 ? blocks[1][place] : filled + Self.between + blocks[1][place])
    }
  }

  /// Returns a short name of a metric, so that two blocks fit into 80 columns.
  private static func short(_ metric: HRVMetric) -> (label: String, unit: String, digits: Int)? {
    switch metric {
    case .meanHeartRate: ("heart rate", " bpm", 1)
    case .baevskyStressIndex: ("Baevsky index", "", 1)
    case .decelerationCapacity: ("deceleration", " ms", 1)
    case .respirationRate: ("breathing", "/min", 1)
    default: nil
    }
  }

  private static func row(_ label: String, _ raw: String, _ corrected: String, unit: String, labelWidth: Int) -> String
  {
    label + padded(raw, labelWidth + widths.raw - label.count) + padded(corrected, widths.corrected) + unit
  }

  private static func number(_ value: Double?, _ digits: Int) -> String {
    value.map { Wording.rounded($0, digits: digits) } ?? "-"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }

  private static func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }
}
