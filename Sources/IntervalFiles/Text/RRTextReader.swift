import Capture
import TachogramCore

/// A reader of RR intervals from text in any dialect that `RRTextSniffer` recognises. Lines that begin with `#` are skipped,
/// except for the start and the gaps that this program's own export writes there.
struct RRTextReader {
  /// The number of lines from which the dialect is recognised.
  private static let sampleLines = 1000

  private let path: String
  private var sample: [LineCollector.Line] = []
  private var layout: RRTextLayout?
  private var refusal: RRSeriesRefusal?
  private var series = RRSeries(format: .rrText)
  private var rows: [RRTextTimeline.Row] = []
  private var number = 0
  /// The number of lines that do not resemble a row. Binary data has many of them.
  private var strange = 0
  /// The line in which another series begins, at which reading stops.
  private var end: Int?
  /// The number of bytes before the text, or `nil` if lines are not counted in bytes of the file.
  private var textStart: UInt64?

  private let mostIntervals: Int

  init(path: String, mostIntervals: Int) {
    self.path = path
    self.mostIntervals = mostIntervals
  }

  /// Reads to the end of a file whose first bytes are already in the buffer.
  consuming func read(_ input: consuming CaptureInput) throws(RRSeriesError) -> RRSeries {
    var decoder = RRTextDecoder(firstBytes: input.buffer.span.extracting(input.window))
    input.skip(decoder.markLength)
    textStart = decoder.encoding == .utf8 ? UInt64(decoder.markLength) : nil
    var lines = LineCollector()
    while try input.holds(1) {
      if decoder.encoding == .utf8 {
        lines.append(input.buffer.span.extracting(input.window)) { handle($0) }
      } else {
        lines.append(decoder.decode(input.buffer.span.extracting(input.window)).span) { handle($0) }
      }
      input.skip(input.window.count)
      if refusal == nil, let start = lines.endlessStart {
        refusal = .endlessLine(line: max(number, sample.count) + 1, byte: textStart.map { $0 + start })
      }
      if refusal != nil { break }
    }
    lines.finish { handle($0) }
    if layout == nil, refusal == nil { sniff() }
    return try series(decoder.encoding)
  }

  private mutating func series(_ encoding: RRTextDialect.Encoding) throws(RRSeriesError) -> RRSeries {
    if let refusal { throw .noSeries(path: path, why: refusal) }
    let absent = RRSeriesError.noSeries(path: path, why: .noIntervals(lines: max(series.records, sample.count)))
    // Binary data occasionally contains an interval by chance.
    guard let layout, strange <= series.records / 2 else { throw absent }
    series.format = layout.format
    series.dialect = RRTextDialect(
      unit: .milliseconds, separator: layout.fields.separator, decimal: layout.fields.decimal, encoding: encoding,
      column: layout.column + 1, columnName: layout.heading?.name, alikeColumns: layout.alikeColumns, hasTimes: false,
      timesRefusal: nil)
    do {
      try RRTextTimeline(rows).fill(&series, layout)
    } catch {
      throw .noSeries(path: path, why: error)
    }
    guard !series.intervals.isEmpty else { throw absent }
    if let end { series.add(line: end, problem: "another series begins here; only the first one is read") }
    return series
  }

  // MARK: - Lines

  private mutating func handle(_ line: LineCollector.Line) {
    if series.start == nil, line.bytes.first == UInt8(ascii: "#") {
      series.start = Self.start(line.bytes.dropFirst())
    }
    if layout != nil {
      read(line)
    } else if refusal == nil {
      sample.append(line)
      if sample.count == Self.sampleLines { sniff() }
    }
  }

  private mutating func sniff() {
    let lines = sample.map { line -> ArraySlice<UInt8> in
      let bare = RRTextFields.trimmed(line.bytes)
      return !line.isWhole || bare.isEmpty || RRTextMissingValue.isComment(bare) ? [] : line.bytes
    }
    do {
      let namesKubios = sample.contains { String(decoding: $0.bytes, as: UTF8.self).lowercased().contains("kubios") }
      layout = try RRTextSniffer(lines, namesKubios: namesKubios).layout()
      if layout == nil, let long = sample.firstIndex(where: { !$0.isWhole }) {
        refusal = .longLine(line: long + 1, limit: LineCollector.longestLine)
      } else if layout == nil, sample.count == Self.sampleLines {
        refusal = .unrecognised(lines: sample.count)
      }
    } catch {
      refusal = error
    }
    guard let layout else { return }
    for line in sample {
      if number < layout.start + (layout.isTable ? 1 : 0) { number += 1 } else { read(line) }
    }
  }

  /// Reads a line below the headings.
  private mutating func read(_ line: LineCollector.Line) {
    number += 1
    let bare = RRTextFields.trimmed(line.bytes)
    guard let layout, !bare.isEmpty, end == nil else { return }
    guard rows.count < mostIntervals else { return refusal = .tooManyIntervals(limit: mostIntervals) }
    if RRTextMissingValue.isComment(bare) {
      if let row = Self.gap(bare.dropFirst()) { rows.append(row) }
      return
    }
    switch line.isWhole ? layout.content(line.bytes) : .other(tooLong(line)) {
    case .numbers(let value, let time):
      series.records += 1
      rows.append(.interval(line: number, value: value, time: time))
    case .empty:
      if rows.isEmpty, !layout.isRow(line.bytes) { return }
      // The table of this program has rows of other kinds.
      rows.append(layout.format == .tachogramCSV ? .otherKind : .empty(line: number))
    case .headings:
      if !rows.isEmpty { end = number }
    case .other(let problem):
      // Units and rules below the headings are skipped.
      if layout.isTable, rows.isEmpty, line.isWhole, !layout.isRow(line.bytes) { return }
      series.records += 1
      strange += layout.isRow(line.bytes) ? 0 : 1
      rows.append(.noInterval(line: number, problem: problem))
    }
  }

  private func tooLong(_ line: LineCollector.Line) -> String {
    "longer than \(LineCollector.longestLine) bytes" + (textStart.map { ", from byte \($0 + line.start) on" } ?? "")
  }

  /// Returns the time in a comment of this program's own export: `start 2026-03-29T01:02:03.456789Z`.
  private static func start(_ comment: ArraySlice<UInt8>) -> WallTime? {
    let parts = RRTextFields(separator: .blanks, decimal: .point).split(comment)
    guard parts.count == 2, parts[0].elementsEqual("start".utf8) else { return nil }
    return Timestamp.time(String(decoding: parts[1].prefix(40), as: UTF8.self))
  }

  /// Returns the gap in a comment of this program's own export: `gap 12.3 s linkDown`.
  private static func gap(_ comment: ArraySlice<UInt8>) -> RRTextTimeline.Row? {
    let words = RRTextFields(separator: .blanks, decimal: .point)
    let parts = words.split(comment)
    guard parts.count >= 3, parts[0].elementsEqual("gap".utf8), parts[2].elementsEqual("s".utf8),
      let seconds = words.number(parts[1]), seconds >= 0
    else { return nil }
    let reason = parts.count > 3 ? BeatGap.Reason(rawValue: String(decoding: parts[3].prefix(20), as: UTF8.self)) : nil
    return .gap(milliseconds: seconds * 1000, reason: reason ?? .lost)
  }
}
