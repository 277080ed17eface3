import Foundation
import HRV
import Pipeline
import Stress
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

/// The numbers in Fixtures/conformance, which other programs can use as well, are what this one computes.
struct ConformanceTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    struct Tolerance: Decodable {
      let relative: Double
      let absolute: Double?
    }

    let name: String
    let group: String
    let intervals: [Double]
    let breaksBefore: [Int]?
    let parameters: [String: Double]
    let expected: [String: Double]
    let unavailable: [String]
    let tolerance: Tolerance

    var testDescription: String { "\(group) \(name)" }

    func agrees(_ value: Double, _ expected: Double) -> Bool {
      abs(value - expected) <= tolerance.relative * abs(expected) + (tolerance.absolute ?? 0)
    }
  }

  private struct File: Decodable {
    let version: Int
    let cases: [Case]
  }

  private static func cases() throws -> [Case] {
    let folder = try FixtureLocator.folder().appendingPathComponent("conformance")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
    return try files.flatMap { try JSONDecoder().decode(File.self, from: Data(contentsOf: $0)).cases }
  }

  @Test(arguments: try Self.cases().filter { $0.group != "stress" })
  func testSeries_HasTheMetrics(_ example: Case) throws {
    var options = AnalysisOptions()
    options.keepsSegments = true
    var analysis = SeriesAnalysis(
      baseline: .default(lastUpdated: Date(timeIntervalSince1970: 0)), options: options)
    let breaks = Set(example.breaksBefore ?? [])
    for (place, interval) in example.intervals.enumerated() {
      analysis.add(milliseconds: interval, gap: breaks.contains(place) ? 0 : nil)
    }
    let report = analysis.report()
    var metrics = report.raw
    if let number = example.parameters["segment"] {
      metrics = try #require(report.segments.raw.first { $0.number == Int(number) }).metrics
    }
    for (name, expected) in example.expected {
      let metric = try #require(HRVMetric(rawValue: name))
      let value = try #require(metrics[metric], "\(name)")
      #expect(example.agrees(value, expected), "\(name) is \(value), and \(expected) is expected")
    }
    for name in example.unavailable {
      let metric = try #require(HRVMetric(rawValue: name))
      #expect(metrics[metric] == nil && metrics.reason(for: metric) != nil, "\(name)")
    }
  }

  @Test(arguments: try Self.cases().filter { $0.group == "stress" })
  func testReading_HasTheLevel(_ example: Case) throws {
    func parameter(_ name: String) throws -> Double { try #require(example.parameters[name]) }
    let date = Date(timeIntervalSince1970: 0)
    let baseline = PersonalBaseline(
      restingHeartRate: try parameter("restingHeartRate"), baselineHRV: try parameter("baselineHRV"), kind: .sdnn,
      sampleCount: 0, isPersonal: false, lastUpdated: date)
    let (hrv, heartRate) = (try parameter("hrv"), try parameter("heartRate"))
    func level() throws -> Double {
      try StressCalculator(baseline: baseline, now: { date }).stress(
        hrv: hrv, heartRate: heartRate, samples: 10, coverage: 1, artifactShare: 0, at: date
      ).level
    }
    guard let expected = example.expected["level"] else {
      #expect(example.unavailable == ["level"])
      #expect(throws: StressError.self) { try level() }
      return
    }
    #expect(example.agrees(try level(), expected))
  }

  @Test func testFiles_HaveCasesOfEveryGroup() throws {
    let groups = try Set(Self.cases().map(\.group))
    #expect(groups == ["timeDomain", "histogram", "frequency", "nonlinear", "segments", "stress"])
  }
}
