import Foundation
import Sleep
import TachogramCore

/// Reads nights from data points of Open mHealth: `sleep-episode` 1.x and `sleep-duration` 1.x and 2.x of the namespace `omh`. Other
/// data points are passed over.
///
/// They tell how long a person slept, not when: the time is `asleep` only if nothing of it was awake, else `unknown`, and the
/// values are in the note.
struct OpenMHealthReader {
  private struct Interval: Hashable {
    let start: WallTime
    let end: WallTime
  }

  /// A data point of sleep, with its path for messages.
  private struct Sleep {
    let path: String
    let source: String?
    let body: OpenMHealthPoint.Body
    let interval: Interval
    let isEpisode: Bool
  }

  /// Returns the nights of JSON, a data point or an array of them. Throws if there is none.
  static func nights(_ data: Data) throws(NightReadError) -> [ImportedNight] {
    let points = try points(data)
    var found: [Sleep] = []
    for (number, point) in points.enumerated() {
      let path = points.count == 1 ? "" : "[\(number)]."
      if let sleep = try sleep(point, path: path) { found.append(sleep) }
    }
    let episodes = found.filter(\.isEpisode)
    // The duration of an episode is in it.
    let durations = found.filter { one in
      !one.isEpisode && !episodes.contains { $0.interval == one.interval && $0.source == one.source }
    }
    let all = (episodes + durations).sorted { $0.interval.start < $1.interval.start }
    guard !all.isEmpty else { throw NightReadError(.noNight) }
    var ends: [String: WallTime] = [:]
    for one in all {
      if let end = ends[one.source ?? ""], one.interval.start < end {
        throw NightReadError(.overlap, at: .field("\(one.path)body.effective_time_frame"))
      }
      ends[one.source ?? ""] = one.interval.end
    }
    var nights: [ImportedNight] = []
    for one in all { nights.append(try night(one)) }
    return nights
  }

  private static func points(_ data: Data) throws(NightReadError) -> [OpenMHealthPoint] {
    do {
      let isArray = data.first { !" \n\r\t".utf8.contains($0) } == UInt8(ascii: "[")
      let decoder = JSONDecoder()
      return isArray
        ? try decoder.decode([OpenMHealthPoint].self, from: data)
        : [try decoder.decode(OpenMHealthPoint.self, from: data)]
    } catch let error as DecodingError {
      throw NightReadError(.json("this is no data point of Open mHealth: \(JSONProblem(error, in: data).text)"))
    } catch {
      throw NightReadError(.json("this is no JSON"))
    }
  }

  private static func sleep(_ point: OpenMHealthPoint, path: String) throws(NightReadError) -> Sleep? {
    let schema = point.header.schema_id
    guard schema.namespace == "omh", schema.name == "sleep-episode" || schema.name == "sleep-duration" else {
      return nil
    }
    let isEpisode = schema.name == "sleep-episode"
    guard schema.version.hasPrefix("1.") || !isEpisode && schema.version.hasPrefix("2.") else {
      throw NightReadError(.version(schema.version), at: .field("\(path)header.schema_id.version"))
    }
    let place = "\(path)body.effective_time_frame"
    guard let interval = point.body.effective_time_frame?.time_interval else {
      throw NightReadError(.noInterval, at: .field(place))
    }
    return Sleep(
      path: path, source: point.header.acquisition_provenance?.source_name, body: point.body,
      interval: try self.interval(interval, place: "\(place).time_interval"), isEpisode: isEpisode)
  }

  private static func interval(
    _ interval: OpenMHealthPoint.Interval, place: String
  ) throws(NightReadError) -> Interval {
    let start = try time(interval.start_date_time, "\(place).start_date_time")
    let end = try time(interval.end_date_time, "\(place).end_date_time")
    let duration = try microseconds(interval.duration, "\(place).duration")
    let found: Interval
    switch (start, end, duration) {
    case (let start?, let end?, _): found = Interval(start: start, end: end)
    case (let start?, nil, let duration?):
      found = Interval(start: start, end: start.advanced(byMicroseconds: duration))
    case (nil, let end?, let duration?): found = Interval(start: end.advanced(byMicroseconds: -duration), end: end)
    default: throw NightReadError(.noInterval, at: .field(place))
    }
    guard found.start < found.end else { throw NightReadError(.reversed, at: .field(place)) }
    guard RecordingDates.range.contains(found.start), RecordingDates.range.contains(found.end) else {
      throw NightReadError(.date, at: .field(place))
    }
    return found
  }

  private static func time(_ text: String?, _ place: String) throws(NightReadError) -> WallTime? {
    guard let text else { return nil }
    // Without a time zone it is UTC (date-time-1.0).
    guard let time = Timestamp.time(text) ?? Timestamp.time(text + "Z") else {
      throw NightReadError(.time(text), at: .field(place))
    }
    return time
  }

  private static func microseconds(
    _ quantity: OpenMHealthPoint.Quantity?, _ place: String
  ) throws(NightReadError) -> Int64? {
    guard let quantity else { return nil }
    guard let microseconds = quantity.microseconds else { throw NightReadError(.quantity, at: .field(place)) }
    return microseconds
  }

  // MARK: - Nights

  private static func night(_ sleep: Sleep) throws(NightReadError) -> ImportedNight {
    let (body, interval) = (sleep.body, sleep.interval)
    let path = "\(sleep.path)body"
    let before = try microseconds(body.latency_to_sleep_onset, "\(path).latency_to_sleep_onset") ?? 0
    let after = try microseconds(body.latency_to_arising, "\(path).latency_to_arising") ?? 0
    let asleep =
      sleep.isEpisode
      ? try microseconds(body.total_sleep_time, "\(path).total_sleep_time")
      : try microseconds(body.sleep_duration, "\(path).sleep_duration")
    let awake = try microseconds(body.wake_after_sleep_onset, "\(path).wake_after_sleep_onset")
    let length = interval.end.microseconds(since: interval.start)
    if let asleep, asleep > length + SleepAxis.microsecondsPerEpoch {
      throw NightReadError(.quantity, at: .field("\(path).\(sleep.isEpisode ? "total_sleep_time" : "sleep_duration")"))
    }
    let isAllAsleep = asleep.map { abs(length - $0) < SleepAxis.microsecondsPerEpoch } ?? false
    let (start, end) = (interval.start.advanced(byMicroseconds: -before), interval.end.advanced(byMicroseconds: after))
    var grid: EpochGrid
    do throws(NightReadError.Problem) {
      guard RecordingDates.range.contains(start), RecordingDates.range.contains(end) else { throw .date }
      grid = try EpochGrid(from: start, to: end)
    } catch {
      throw NightReadError(error, at: .field("\(path).effective_time_frame"))
    }
    grid.add(.wake, from: start, to: interval.start)
    if isAllAsleep { grid.add(.asleep, from: interval.start, to: interval.end) }
    grid.add(.wake, from: interval.end, to: end)
    var parts = [asleep.map { "asleep \(minutes($0))" }, awake.map { "awake after sleep onset \(minutes($0))" }]
    parts.append(body.number_of_awakenings.map { "\($0) awakenings" })
    let values = parts.compactMap(\.self).joined(separator: ", ")
    return ImportedNight(
      form: .openMHealth, source: sleep.source, start: start, stages: grid.stages.stages,
      note: isAllAsleep || values.isEmpty ? nil : "Open mHealth: \(values)")
  }

  private static func minutes(_ microseconds: Int64) -> String {
    "\((Double(microseconds) / 6e6).rounded() / 10) min"
  }
}
