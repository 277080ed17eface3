import TachogramCore

/// The metrics of one stretch of intervals, with the reasons for those that are not available.
package struct MetricsSection: Encodable {
  package let count: Int
  package let pairs: Int
  package let durationSeconds: Double
  package let ultraShort: Bool
  package let metrics: [HRVMetric: Double]
  package let unavailable: [String: String]

  package init(_ source: HRVMetrics) {
    count = source.timeDomain.count
    pairs = source.timeDomain.pairCount
    durationSeconds = source.timeDomain.duration / 1000
    ultraShort = source.timeDomain.isUltraShort
    var metrics: [HRVMetric: Double] = [:]
    var unavailable: [String: String] = [:]
    for metric in source.names {
      metrics[metric] = source[metric]
      unavailable[metric.rawValue] = source.reason(for: metric).map(Wording.text)
    }
    self.metrics = metrics
    self.unavailable = unavailable
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(count, forKey: Key(stringValue: "count"))
    try container.encode(pairs, forKey: Key(stringValue: "pairs"))
    try container.encode(durationSeconds, forKey: Key(stringValue: "durationSeconds"))
    try container.encode(ultraShort, forKey: Key(stringValue: "ultraShort"))
    for (metric, value) in metrics { try container.encode(value, forKey: Key(stringValue: metric.rawValue)) }
    try container.encode(unavailable, forKey: Key(stringValue: "unavailable"))
  }
}
