/// The newest readings of one kind, in a ring of fixed size.
struct RecentReadings<Reading: Sendable>: Sendable {
  private let limit: Int
  private var ring: [Reading] = []
  /// The index of the next reading in a full ring, which is that of the oldest.
  private var next = 0

  /// Creates a ring. `limit` is the number of readings to keep, at least 1.
  init(limit: Int) {
    self.limit = max(1, limit)
  }

  mutating func append(_ reading: Reading) {
    if ring.count < limit {
      ring.append(reading)
    } else {
      ring[next] = reading
      next = (next + 1) % limit
    }
  }

  /// Returns the `count` newest readings, or all of them by default, with the newest first.
  func newest(_ count: Int = .max) -> [Reading] {
    (0..<min(max(0, count), ring.count)).map { ring[(next + ring.count - 1 - $0) % ring.count] }
  }
}
