import FoundationEssentials
import Glibc
import IntervalFiles
import Pipeline
import StressKit
import TachogramCore

/// Measures the whole analysis of a series, from its intervals to its report, as in `tachogram analyze`: once, as in a program
/// that has just started.
enum AnalysisBench {
  static func run(path: String) throws {
    let series = try RRSeriesReader(path: path).read()
    var options = AnalysisOptions()
    options.keepsSegments = true
    let start = processorSeconds()
    var analysis = SeriesAnalysis(baseline: .default(), options: options)
    for interval in series.intervals { analysis.add(milliseconds: interval.milliseconds, gap: interval.gap) }
    let report = analysis.report()
    let seconds = processorSeconds() - start
    // The values prove that the analysis was complete, and that it matches the program's report.
    print(
      "{\"cpuSeconds\": \(seconds), \"segments\": \(report.segments.corrected.count), "
        + "\"rmssd\": \(report.raw[.rmssd] ?? 0), \"dfaAlpha1\": \(report.correction.metrics[.dfaAlpha1] ?? 0)}")
  }

  /// Returns the processor time of this process.
  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
