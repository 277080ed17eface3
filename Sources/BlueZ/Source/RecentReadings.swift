/// The newest readings of one kind, in a ring of fixed size.
struct RecentReadings<Reading: Sendable>: Sendable {
  private let limit: Int
  private var ring: [Reading] = []
  /// Where the next reading goes once the ring is full: the place of the oldest.
  private var next = 0

  /// `limit`: readings that are kept, 1 at least.
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

  /// The `count` newest, the newest first; all of them without a count.
  func newest(_ count: Int = .max) -> [Reading] {
    (0..<min(max(0, count), ring.count)).map { ring[(next + ring.count - 1 - $0) % ring.count] }
  }
}
