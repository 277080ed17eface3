import GATT

/// What the discovery of primary services said last of ranges of handles, at one end of a link.
struct ServiceMap {
  struct Service: Hashable, Sendable {
    let handles: ClosedRange<UInt16>
    /// A 16-bit UUID; those of 128 bits are `AttributeServer.unknownType`.
    let type: UInt16
  }

  /// What stands around a handle.
  enum Word: Hashable {
    case service(UInt16)
    /// No primary service.
    case none

    var isHeartRate: Bool { self == .service(GATTUUID.heartRateService) }

    /// Whether a Heart Rate Measurement can stand there. A service of a maker's own may have one.
    var canHaveHeartRate: Bool { isHeartRate || self == .service(AttributeServer.unknownType) }
  }

  /// The most ranges that are kept: what discovery said of more is forgotten.
  private static let mostRanges = 64

  private var discovered: [(range: ClosedRange<UInt16>, services: [Service])] = []

  /// What was said of a handle.
  func word(of handle: UInt16) -> Word? {
    guard let known = discovered.last(where: { $0.range.contains(handle) }) else { return nil }
    return known.services.first { $0.handles.contains(handle) }.map { .service($0.type) } ?? Word.none
  }

  /// Takes what a whole discovery of a range found. Whether it says anything new.
  mutating func discover(_ range: ClosedRange<UInt16>, _ services: [Service]) -> Bool {
    if let last = discovered.last, last.range == range, last.services == services { return false }
    discovered.removeAll { range.contains($0.range.lowerBound) && range.contains($0.range.upperBound) }
    if discovered.count >= Self.mostRanges { discovered.removeFirst() }
    discovered.append((range, services))
    return true
  }

  /// Forgets what was said of handles in `range`.
  mutating func forget(_ range: ClosedRange<UInt16>) {
    discovered.removeAll { $0.range.overlaps(range) }
  }
}
