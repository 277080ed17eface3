import FoundationEssentials
import IntervalFiles
import Pipeline
import StressKit
import TachogramCore
import TachogramTestKit

/// RR intervals in text or FIT, read as `analyze` reads them, and analysed.
struct SeriesFuzz {
  /// Whether the target is FIT files, or all others.
  let isFIT: Bool

  /// Returns `false` for files of other kinds.
  func run(_ bytes: [UInt8]) throws -> Bool {
    let (series, inPieces) = try MemoryFile.withPath(bytes) { path in
      (
        try Self.read(RRSeriesReader(path: path)),
        try Self.read(RRSeriesReader(path: path, chunk: 1 + bytes.count / 3))
      )
    }
    try FuzzFinding.unless(series == inPieces, "read in pieces, it gives \(inPieces) instead of \(series)")
    switch series {
    case .success(let series):
      guard (series.format == .fit) == isFIT else { return false }
      try check(series, bytes.count)
      try analyse(series)
      return true
    case .failure(let error):
      try FuzzFinding.unless(!error.description.isEmpty, "a failure without words")
      return bytes.dropFirst(8).starts(with: Array(".FIT".utf8)) == isFIT
    }
  }

  private static func read(_ reader: RRSeriesReader) throws -> Result<RRSeries, RRSeriesError> {
    do {
      return .success(try reader.read())
    } catch {
      return .failure(error)
    }
  }

  private func check(_ series: RRSeries, _ size: Int) throws {
    try FuzzFinding.unless(!series.intervals.isEmpty, "a series without intervals")
    try FuzzFinding.unless(series.intervals[0].gap == nil, "a gap before the first interval")
    for (position, interval) in series.intervals.enumerated() {
      try FuzzFinding.unless(
        interval.milliseconds > 0 && interval.milliseconds <= 65_535,
        "interval \(position) has \(interval.milliseconds) ms")
      let gap = interval.gap ?? 0
      try FuzzFinding.unless(gap >= 0 && gap.isFinite, "the gap before interval \(position) has \(gap) ms")
    }
    try FuzzFinding.unless(
      series.problems.count == min(series.damaged, RRSeries.describedProblems),
      "\(series.problems.count) of \(series.damaged) problems are described")
    try FuzzFinding.unless(
      series.damagedBytes <= UInt64(size), "\(series.damagedBytes) of \(size) bytes are damaged")
  }

  private func analyse(_ series: RRSeries) throws {
    var analysis = SeriesAnalysis(baseline: .default())
    for interval in series.intervals {
      analysis.addImpossible(interval.impossibleBefore)
      analysis.add(
        milliseconds: interval.milliseconds, gap: interval.gap, hasUnusableTime: interval.hasUnusableTime)
    }
    analysis.addImpossible(series.impossibleAtEnd)
    let report = analysis.report()
    try ReportCheck.check(report)
    let breaks = series.intervals.indices.filter { series.intervals[$0].gap != nil }
    try ReportCheck.checkRaw(report, series.intervals.map(\.milliseconds), Set(breaks))
    try FuzzFinding.unless(report.beats.total == series.intervals.count, "intervals that were not counted")
  }
}
