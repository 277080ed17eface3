import TachogramCore

/// What an export of a session contains beside the heart rate: its night, its movement and what its sensors sent. All of it may be
/// absent.
struct ArchivedMeasurements: Decodable {
  private enum CodingKeys: String, CodingKey {
    case night, movement, sensors
  }

  /// How long before the first heart rate sensor entries may arrive, in microseconds: an hour.
  private static let longestWait: Int64 = 3_600_000_000

  private let night: NightRow?
  private let movement: [MovementRow]
  private let sensors: [SensorRow]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    night = try container.decodeIfPresent(NightRow.self, forKey: .night)
    movement = try container.decodeIfPresent([MovementRow].self, forKey: .movement) ?? []
    sensors = try container.decodeIfPresent([SensorRow].self, forKey: .sensors) ?? []
  }

  /// Adds the measurements to the import of a session. Throws a failure that names the first value that is invalid.
  func add(to incoming: inout SessionImporter.Incoming, path: String) throws {
    let links = Set(incoming.links.map(\.number))
    // Epochs count from the start of the session; what sensors sent before the first heart rate belongs to it.
    let start = incoming.description.monotonicStart.microseconds
    var last = start - 1
    incoming.movement = try movement.enumerated().map { position, row in
      if let key = row.wrongKey { throw SessionArchive.wrong("movement[\(position)].\(key)", path) }
      guard row.monotonicUs > last else { throw SessionArchive.wrong("movement[\(position)].monotonicUs", path) }
      last = row.monotonicUs
      return row.epoch
    }
    incoming.sensors = try sensors.enumerated().map { position, row in
      guard let entry = row.entry, entry.sequence == Int64(position), links.contains(entry.link),
        entry.monotonic.microseconds >= start - Self.longestWait
      else {
        throw SessionArchive.wrong("sensors[\(position)]", path)
      }
      return entry
    }
    incoming.night = try night?.night(of: incoming, path: path)
  }
}
