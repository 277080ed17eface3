import DequeModule

/// The lines that wait for the next batch: at most `limit`, of which the oldest are dropped.
struct InfluxBacklog {
  /// The maximum number of lines: an hour of four straps.
  static let limit = 20_000
  /// The maximum number of lines in a batch.
  static let mostInBatch = 5_000
  /// The maximum number of lines in a batch after a failure: nobody may be there to take them.
  static let mostAfterFailure = 500

  private let key: OutletKey
  private var lines: Deque<InfluxLine> = []
  /// The last reading of each strap since the last batch.
  private var readings: [Int: OutletReading] = [:]
  private var names: [Int: (identifier: String, name: String)] = [:]
  private(set) var dropped = 0

  init(key: OutletKey) {
    self.key = key
  }

  mutating func add(_ delivery: OutletDelivery) {
    for reading in delivery.readings {
      names[reading.strap] = (key.identifier(of: reading), reading.name)
      if reading.isCurrent { readings[reading.strap] = reading }
    }
    for beat in delivery.beats {
      guard let strap = names[beat.strap] else { continue }
      lines.append(InfluxLine(beat, strap: strap.identifier, name: strap.name))
    }
    for reading in delivery.forgotten { names[reading.strap] = nil }
    dropExcess()
  }

  /// Returns the lines of the next batch, at most `most`, which stay until `remove` is called.
  mutating func batch(_ most: Int = mostInBatch) -> [InfluxLine] {
    for strap in readings.keys.sorted() {
      guard let reading = readings[strap], let identifier = names[strap]?.identifier,
        let line = InfluxLine(reading, strap: identifier)
      else { continue }
      lines.append(line)
    }
    readings = [:]
    dropExcess()
    return Array(lines.prefix(most))
  }

  /// Removes the lines of a batch, as far as they were not dropped since.
  mutating func remove(_ count: Int, droppedBefore: Int) {
    lines.removeFirst(min(lines.count, max(0, count - (dropped - droppedBefore))))
  }

  private mutating func dropExcess() {
    let excess = max(0, lines.count - Self.limit)
    dropped += excess
    lines.removeFirst(excess)
  }
}
