import Sleep
import TachogramCore

/// Reads a hypnogram from a table: the export of a night as CSV, or any with a column `time` and a column `stage`, separated by
/// commas, semicolons or tabs.
///
/// A row of an export is an epoch of 30 s. In other tables, most of whose rows are equally far apart, a row is an epoch of that
/// length; else a stage lasts to the next row, and the last one 30 s.
struct NightTableReader {
  private struct Row {
    let line: Int
    let time: WallTime
    let stage: SleepStage
  }

  /// The largest number of rows: a week of seconds.
  private static let maximumRows = 7 * 86_400
  /// The longest epoch of a table in microseconds: 5 minutes.
  private static let longestEpoch: Int64 = 300_000_000
  private static let timeNames = ["start", "time", "timestamp", "onset"]
  private static let stageNames = ["stage", "sleep_stage", "stage_name", "description"]

  /// The start of times in seconds.
  let start: WallTime?

  /// Returns the night of a table.
  func night(_ bytes: [UInt8]) throws(NightReadError) -> ImportedNight {
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let lines = bytes.split(omittingEmptySubsequences: false) { $0 == 0x0A }
    guard let first = lines.firstIndex(where: { !Self.isBlank($0) }) else { throw NightReadError(.noNight) }
    let separator = [UInt8(ascii: "\t"), UInt8(ascii: ";")].first(where: lines[first].contains) ?? UInt8(ascii: ",")
    let heading = try Self.cells(lines[first], separator, line: first + 1).map { $0.lowercased() }
    guard let time = heading.firstIndex(where: Self.timeNames.contains),
      let stage = heading.firstIndex(where: Self.stageNames.contains)
    else { throw NightReadError(.missingColumns, at: .line(first + 1)) }
    var rows: [Row] = []
    for (number, line) in lines.enumerated().dropFirst(first + 1) where !Self.isBlank(line) {
      let place = NightReadError.Place.line(number + 1)
      guard rows.count < Self.maximumRows else { throw NightReadError(.tooMany(limit: Self.maximumRows), at: place) }
      let cells = try Self.cells(line, separator, line: number + 1)
      guard cells.count > max(time, stage) else {
        throw NightReadError(.missingCells(cells.count, expected: heading.count), at: place)
      }
      do throws(NightReadError.Problem) {
        let row = Row(
          line: number + 1, time: try self.time(cells[time]), stage: try SleepStageName.stage(cells[stage]))
        guard RecordingDates.range.contains(row.time) else { throw .date }
        if let last = rows.last, row.time <= last.time { throw .unordered }
        rows.append(row)
      } catch {
        throw NightReadError(error, at: place)
      }
    }
    var night = try night(rows, ofExport: heading.first == "start" && heading.count == 4)
    night.columnsNote = Self.note(of: heading, read: [(time, Self.timeNames), (stage, Self.stageNames)])
    return night
  }

  /// Returns a message about columns that could be meant as well as those that are read, or `nil` if there are none.
  private static func note(of heading: [String], read columns: [(index: Int, names: [String])]) -> String? {
    let notes = columns.compactMap { column -> String? in
      let alike = heading.indices.filter { column.names.contains(heading[$0]) }
      guard alike.count > 1 else { return nil }
      let places = alike.map { "\($0 + 1) (\(heading[$0]))" }.joined(separator: ", ")
      return "columns \(places) are alike; only column \(column.index + 1) is read"
    }
    return notes.isEmpty ? nil : notes.joined(separator: "; ")
  }

  private func night(_ rows: [Row], ofExport: Bool) throws(NightReadError) -> ImportedNight {
    guard let first = rows.first, let last = rows.last else { throw NightReadError(.noNight) }
    let epoch = ofExport ? SleepAxis.microsecondsPerEpoch : Self.epoch(rows)
    let end = last.time.advanced(byMicroseconds: epoch ?? SleepAxis.microsecondsPerEpoch)
    var grid: EpochGrid
    do throws(NightReadError.Problem) {
      grid = try EpochGrid(from: first.time, to: end)
    } catch {
      throw NightReadError(error, at: .line(last.line))
    }
    for (row, next) in zip(rows, rows.dropFirst() + [last]) {
      let limit = row.line == last.line ? end : next.time
      let own = epoch.map { row.time.advanced(byMicroseconds: $0) } ?? limit
      if ofExport, own > limit { throw NightReadError(.overlap, at: .line(next.line)) }
      grid.add(row.stage, from: row.time, to: min(own, limit))
    }
    return ImportedNight(form: .csv, start: first.time, stages: grid.stages.stages)
  }

  /// Returns the distance of most rows in microseconds, or `nil` if there is none, or it is too long for an epoch.
  private static func epoch(_ rows: [Row]) -> Int64? {
    let steps = zip(rows, rows.dropFirst()).map { $1.time.microseconds(since: $0.time) }
    guard let least = steps.min(), least <= longestEpoch, steps.count(where: { $0 == least }) * 2 > steps.count else {
      return nil
    }
    return least
  }

  // MARK: - Cells

  private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
    line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }

  /// Returns the cells of a line without blanks and quotes around them.
  private static func cells(
    _ line: ArraySlice<UInt8>, _ separator: UInt8, line number: Int
  ) throws(NightReadError) -> [String] {
    guard let text = String(validating: line, as: UTF8.self) else { throw NightReadError(.notText, at: .line(number)) }
    return text.unicodeScalars.split(separator: Unicode.Scalar(separator), omittingEmptySubsequences: false).map {
      cell in
      var cell = cell
      while let first = cell.first, first.properties.isWhitespace || first == "\"" { cell.removeFirst() }
      while let last = cell.last, last.properties.isWhitespace || last == "\"" { cell.removeLast() }
      return String(cell)
    }
  }

  private func time(_ text: String) throws(NightReadError.Problem) -> WallTime {
    if let time = Timestamp.time(text) { return time }
    if Timestamp.time(text + "Z") != nil { throw .timeWithoutOffset(text) }
    guard let seconds = Double(text), seconds.isFinite else { throw .time(text) }
    guard (0...Double(Self.maximumRows)).contains(seconds) else {
      throw .timeOutOfRange(text, maximum: Self.maximumRows)
    }
    guard let start else { throw .timeNeedsStart }
    return start.advanced(byMicroseconds: Int64((seconds * 1e6).rounded()))
  }
}
