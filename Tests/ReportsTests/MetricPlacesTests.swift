import Foundation
import TachogramCore
import TachogramTestKit
import Testing

@testable import Reports

/// The places that name each metric: what CONTRIBUTING.md lists for a new one.
struct MetricPlacesTests {
  private func text(_ path: String) throws -> String {
    let root = try FixtureLocator.folder().deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func testEachMetric_IsOfOneOfTheThreeKinds() {
    let kinds = HRVMetric.timeDomain + HRVMetric.ofSeries + HRVMetric.ofSegments
    #expect(kinds.count == HRVMetric.allCases.count)
    #expect(Set(kinds) == Set(HRVMetric.allCases))
  }

  @Test func testEachMetric_StandsInOneGroupOfReports() {
    let grouped = MetricGroup.allCases.flatMap(\.metrics)
    #expect(grouped.count == HRVMetric.allCases.count)
    #expect(Set(grouped) == Set(HRVMetric.allCases))
  }

  @Test func testEachMetric_IsDefinedAndComputedByTheOracle() throws {
    let (definitions, facade) = (try text("docs/metrics.md"), try text("Sources/HeartRateKit/HRVResult.swift"))
    let oracle = try text("tools/lib/oracle/oracle.py") + text("tools/lib/oracle/time_domain.py")
    let rows = definitions.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .compactMap { $0.split(separator: "|").first }
    for metric in HRVMetric.allCases {
      #expect(rows.contains { $0.contains("`\(metric.rawValue)`") }, "\(metric) has no row in docs/metrics.md")
      #expect(
        oracle.contains("\"\(metric.rawValue)\""), "\(metric) is not computed by tools/lib/oracle")
      #expect(
        facade.contains(try Regex("\\b\(metric.rawValue)\\b")), "HeartRateKit does not name \(metric)")
    }
  }
}
