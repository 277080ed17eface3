import Foundation
import Pipeline
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

/// Metamorphic: whatever a session is, impossible intervals make it worse.
struct ImpossibleIntervalTests {
  /// Of a recording, from which on nothing is said of it.
  private static let limit = ArtifactLimits().other

  private static func session(_ entries: [LedgerEntry]) -> SeriesReport {
    var deriver = SessionDeriver(
      CaptureBuilder.session(entries, strap: CaptureBuilder.strap()),
      baseline: .default(lastUpdated: Date(timeIntervalSince1970: 0)), output: .report)
    deriver.ingest(entries)
    deriver.finish()
    return deriver.report().series
  }

  private static func series(_ intervals: [Double]) -> SeriesReport {
    var analysis = SeriesAnalysis(baseline: .default(lastUpdated: Date(timeIntervalSince1970: 0)))
    for interval in intervals { analysis.add(milliseconds: interval, gap: nil) }
    return analysis.report()
  }

  /// What is left of a recording that can be trusted.
  private static func trusted(_ report: SeriesReport) -> Double {
    report.beats.coverage * (1 - report.correction.quality.artifactShare)
  }

  /// What is wrong with the reports of a session with ever more impossible intervals.
  private static func problems(_ count: Int, _ report: (Int) -> SeriesReport) -> [String] {
    var problems: [String] = []
    var last = 1.0
    for added in [0, 1, 2, 4, 8, 16, 32] + (1...6).map({ count * $0 / 8 }) {
      let found = report(added)
      let (trusted, share) = (Self.trusted(found), found.correction.quality.artifactShare)
      let known = Double(added) / Double(count + added)
      if trusted > last + 1e-9 { problems.append("\(added): \(trusted) can be trusted, and \(last) before") }
      last = trusted
      if share < known - 1e-9 { problems.append("\(added): the share is \(share), and \(known) are impossible") }
      if known > limit, HRVMetric.allCases.contains(where: { found.correction.metrics[$0] != nil }) {
        problems.append("\(added): corrected values with a share of \(share)")
      }
      guard let window = found.windows.last?.window, case .available(let stress) = found.stress else { continue }
      if window.artifactShare > limit || known > 1.8 * limit {
        problems.append("\(added): stress with confidence \(stress.confidence) of \(window.artifactShare)")
      }
      if stress.confidence > window.coverage * (1 - window.artifactShare) + 1e-9 {
        problems.append("\(added): confidence \(stress.confidence) is above what can be trusted")
      }
    }
    return problems
  }

  @Test(arguments: ImpossibleIntervals.Kind.allCases, CommandTrial<Int>.seeds(8))
  func testMoreImpossibleIntervals_LeaveNoMoreToTrust(kind: ImpossibleIntervals.Kind, seeds: Range<UInt64>) {
    for seed in seeds {
      let intervals = ImpossibleIntervals(kind, seed: seed)
      let notified = Self.problems(intervals.count) { Self.session(intervals.entries(adding: $0)) }
      #expect(notified.isEmpty, "notified, \(kind), seed \(seed)")
      let plain = Self.problems(intervals.count) { Self.series(intervals.series(adding: $0)) }
      #expect(plain.isEmpty, "plain, \(kind), seed \(seed)")
    }
  }
}
