import Repository
import TachogramCore

/// What a stored session has beside its heart rate, to be moved to another session.
struct SessionMeasurements {
  private(set) var sensors: [SensorEntry] = []
  private(set) var movement: [MovementEpoch] = []

  init(of session: String, in database: TachogramDatabase) throws {
    try SensorRepository(database: database).forEachEntry(of: session, batchSize: 8192) { sensors += $0 }
    movement = try SleepRepository(database: database).movement(of: session)
  }

  /// The number that the next sensor entry would have.
  var nextSequence: Int64 { sensors.last.map { $0.sequence + 1 } ?? 0 }

  /// Returns the number of the first sensor entry that arrived at or after a time, or the next one.
  func firstSequence(since time: MonotonicTime) -> Int64 {
    sensors.first { $0.monotonic >= time }?.sequence ?? nextSequence
  }

  /// Adds to `batch` what arrived at or after a time, numbered from 0. The starts of the streams that run at that time precede it,
  /// without which frames cannot be read. `links` are the new numbers of links.
  func add(since time: MonotonicTime, links: [Int: Int], to batch: inout SessionBatch) {
    let first = sensors.firstIndex { $0.monotonic >= time } ?? sensors.endIndex
    guard first < sensors.endIndex || movement.contains(where: { $0.time >= time }) else { return }
    var running = RunningStreams<SensorEntry>()
    for entry in sensors[..<first] { running.note(entry, entry.content) }
    let link = first < sensors.endIndex ? sensors[first].link : 0
    let starts = running.all.filter { $0.link == link }.sorted { $0.sequence < $1.sequence }
    batch.sensors = Self.renumbered(starts + sensors[first...], from: 0, links: links, shift: .zero)
    batch.movement = movement.filter { $0.time >= time }
  }

  /// Adds everything to `batch`, moved by `shift` and numbered from `sequence`.
  func add(shift: Duration, from sequence: Int64, links: [Int: Int], to batch: inout SessionBatch) {
    batch.sensors = Self.renumbered(sensors, from: sequence, links: links, shift: shift)
    batch.movement = movement.map { epoch in
      var epoch = epoch
      epoch.time = epoch.time.advanced(by: shift)
      return epoch
    }
  }

  private static func renumbered(
    _ entries: [SensorEntry], from sequence: Int64, links: [Int: Int], shift: Duration
  ) -> [SensorEntry] {
    entries.enumerated().map { offset, entry in
      SensorEntry(
        sequence: sequence + Int64(offset), link: links[entry.link] ?? links.values.min() ?? 0,
        monotonic: entry.monotonic.advanced(by: shift), wall: entry.wall, content: entry.content)
    }
  }
}
