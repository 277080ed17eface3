/// Reads RR intervals from text: one value a line, or time and RR separated by comma, semicolon, tab or blanks. A first line
/// of headings is passed over, and so are lines that begin with `#`, but for the gaps that this program's own export notes
/// there. Values are milliseconds, or seconds where most of them say so by being below 10.
package struct RRTextReader: Sendable {
  private static let longest = 65_535.0
  /// Where most values are below this, they are seconds.
  private static let secondsBelow = 10.0
  /// Where a step in time is mostly less than this times the interval in ms, times are seconds: 1/1000, and no less than 1.
  private static let secondsRatio = 0.03
  /// The shortest gap that is told from times, in ms.
  private static let shortestGap = 250.0
  private static let describedProblems = 20

  /// A line that matters.
  private enum Row {
    case interval(line: Int, value: Double, time: Double?)
    case unreadable
    case gap(milliseconds: Double)
  }

  private let path: String

  package init(path: String) {
    self.path = path
  }

  /// Reads the whole file; throws when it cannot be read, or most of its lines hold no interval.
  package func read() throws(CaptureError) -> RRTextSeries {
    var input = try CaptureInput(path: path)
    guard try input.fill(1) else { throw .empty(path: path) }
    var series = RRTextSeries()
    var rows: [Row] = []
    var lines = LineCollector()
    var number = 0
    func take(_ line: ArraySlice<UInt8>, isWhole: Bool) {
      number += 1
      if let row = Self.row(RRTextLine(line, isWhole: isWhole), line: number, &series) { rows.append(row) }
    }
    while try input.fill(1) {
      lines.append(input.buffer.span.extracting(input.window), take)
      input.skip(input.window.count)
    }
    lines.finish(take)
    // Bytes of any other kind make an interval now and then by chance.
    guard series.malformed <= series.lines / 2 else {
      throw .noHeartRate(path: path, why: .noIntervals(lines: series.lines))
    }
    interpret(rows, &series)
    guard !series.intervals.isEmpty else {
      throw .noHeartRate(path: path, why: .noIntervals(lines: series.lines))
    }
    return series
  }

  /// The row that a line makes, and its share in the counts.
  private static func row(_ line: RRTextLine, line number: Int, _ series: inout RRTextSeries) -> Row? {
    switch line {
    case .empty:
      return nil
    case .gap(let milliseconds):
      return .gap(milliseconds: milliseconds)
    case .numbers(let value, let time):
      series.lines += 1
      return .interval(line: number, value: value, time: time)
    case .other(let text):
      if series.lines == 0, series.header == nil {
        series.header = String(decoding: text.prefix(80), as: UTF8.self)
        return nil
      }
      series.lines += 1
      series.add(line: number, problem: "not a number", limit: describedProblems)
      return .unreadable
    }
  }

  // MARK: - From rows to intervals

  /// Makes intervals of the rows. What is no interval leaves a break, so that nothing is computed across it.
  private func interpret(_ rows: [Row], _ series: inout RRTextSeries) {
    let scale = Self.valueScale(rows)
    let timeScale = Self.timeScale(rows, valueScale: scale)
    series.unit = scale == 1 ? .milliseconds : .seconds
    series.hasTimes = timeScale != nil
    // Time in ms that is known to be missing before the next interval, 0 for a break of unknown length.
    var gap: Double?
    var lastTime: Double?
    for row in rows {
      switch row {
      case .unreadable:
        gap = gap ?? 0
      case .gap(let milliseconds):
        gap = (gap ?? 0) + milliseconds
      case .interval(let line, let number, let time):
        let value = number * scale
        guard value > 0, value <= Self.longest else {
          series.add(
            line: line, problem: "\(value) ms is no RR interval (above 0, at most 65535)", limit: Self.describedProblems
          )
          gap = gap ?? 0
          continue
        }
        if let timeScale, let time, let lastTime {
          let missing = (time - lastTime) * timeScale - value
          if missing > max(Self.shortestGap, value / 2) { gap = max(gap ?? 0, missing) }
        }
        series.intervals.append(
          RRTextSeries.Interval(milliseconds: value, gap: series.intervals.isEmpty ? nil : gap))
        gap = nil
        lastTime = time ?? lastTime
      }
    }
  }

  /// What makes milliseconds of the values.
  private static func valueScale(_ rows: [Row]) -> Double {
    let values = rows.compactMap { row -> Double? in
      if case .interval(_, let value, _) = row, value > 0 { value } else { nil }
    }
    return (median(values) ?? 0) < secondsBelow ? 1000 : 1
  }

  /// What makes milliseconds of the times; `nil` when there are none.
  private static func timeScale(_ rows: [Row], valueScale: Double) -> Double? {
    var ratios: [Double] = []
    var last: Double?
    for case .interval(_, let value, let time?) in rows {
      if let last, value > 0, time > last { ratios.append((time - last) / (value * valueScale)) }
      last = time
    }
    if last == nil { return nil }
    return (median(ratios) ?? 1) < secondsRatio ? 1000 : 1
  }

  /// The upper of the two middle values where their number is even.
  private static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }
}
