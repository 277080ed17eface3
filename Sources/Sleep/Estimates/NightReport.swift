/// The stages of a night for programs: the primary estimate, and `others`, the secondary ones in the same form.
package struct NightReport: Hashable, Sendable, Encodable {
  private enum Key: CodingKey {
    case epochSeconds, others
  }

  private let primary: NightEstimateReport
  private let others: [NightEstimateReport]

  package init(_ estimates: NightEstimates) throws(SleepInputError) {
    primary = try NightEstimateReport(estimates.primary)
    var others: [NightEstimateReport] = []
    for estimate in estimates.secondary { others.append(try NightEstimateReport(estimate)) }
    self.others = others
  }

  package func encode(to encoder: any Encoder) throws {
    try primary.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(SleepAxis.epochSeconds, forKey: .epochSeconds)
    try container.encode(others, forKey: .others)
  }
}
