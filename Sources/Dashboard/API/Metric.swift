/// A number for a monitoring system.
package struct Metric: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case counter, gauge
  }

  package struct Sample: Hashable, Sendable {
    package struct Label: Hashable, Sendable {
      package var name: String
      package var value: String

      package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
      }
    }

    package var labels: [Label]
    package var value: Double

    package init(_ value: Double, _ labels: [Label] = []) {
      self.labels = labels
      self.value = value
    }
  }

  /// The name with its unit at the end, and without the `_total` of a counter.
  package var name: String
  package var kind: Kind
  package var help: String
  package var samples: [Sample]

  package init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
    self.name = name
    self.kind = kind
    self.help = help
    self.samples = samples
  }

  /// Returns the metrics as OpenMetrics 1.0 text, with the end marker.
  package static func text(_ metrics: [Metric]) -> String {
    var text = ""
    for metric in metrics {
      text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n# HELP \(metric.name) \(escaped(metric.help))\n"
      for sample in metric.samples {
        let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",")
        text += metric.name + (metric.kind == .counter ? "_total" : "") + (labels.isEmpty ? "" : "{\(labels)}")
        text += " \(number(sample.value))\n"
      }
    }
    return text + "# EOF\n"
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
  }
}
