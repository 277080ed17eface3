import GATT
import Statistics

/// What the discovery of primary services said last of ranges of handles, at one end of a link.
struct ServiceMap {
  struct Service: Hashable, Sendable {
    let handles: ClosedRange<UInt16>
    /// A 16-bit UUID; those of 128 bits are `AttributeType.unknown`.
    let type: UInt16
  }

  /// What stands around a handle.
  enum Word: Hashable {
    case service(UInt16)
    /// No primary service, while the Heart Rate Service was found elsewhere.
    case none

    var isHeartRate: Bool { self == .service(GATTUUID.heartRateService) }

    /// Whether a Heart Rate Measurement can stand there. A service of a maker's own may have one.
    var canHaveHeartRate: Bool { isHeartRate || self == .service(AttributeType.unknown) }
  }

  /// The most ranges that are kept: what discovery said of more is forgotten.
  private static let mostRanges = 64

  private struct Discovery {
    let range: ClosedRange<UInt16>
    /// In the order of their handles; none reaches into the next.
    let services: [Service]
    /// The ordinal of the attribute PDU that ended it.
    let moment: Int

    func word(of handle: UInt16) -> Word? {
      let next = services.partitioned { $0.handles.lowerBound > handle }
      if next > 0, services[next - 1].handles.contains(handle) { return .service(services[next - 1].type) }
      // The answer with a service may be missing in the capture.
      return services.contains { $0.type == GATTUUID.heartRateService } ? Word.none : nil
    }
  }

  private var discovered: [Discovery] = []

  /// What was said of a handle.
  func word(of handle: UInt16) -> Word? {
    discovered.last { $0.range.contains(handle) }?.word(of: handle)
  }

  /// Since when the services that were found leave no room for a Heart Rate Measurement on a handle; `nil` where they do.
  func ruledOut(_ handle: UInt16) -> Int? {
    guard let last = discovered.last(where: { $0.range.contains(handle) }), let word = last.word(of: handle) else {
      return nil
    }
    return word.canHaveHeartRate ? nil : last.moment
  }

  /// Takes what a whole discovery of a range found, in the order of the handles. Whether it says anything new.
  mutating func discover(_ range: ClosedRange<UInt16>, _ services: [Service], at moment: Int) -> Bool {
    if let last = discovered.last, last.range == range, last.services == services { return false }
    discovered.removeAll { range.contains($0.range.lowerBound) && range.contains($0.range.upperBound) }
    if discovered.count >= Self.mostRanges { discovered.removeFirst() }
    discovered.append(Discovery(range: range, services: services, moment: moment))
    return true
  }

  /// Forgets what was said of handles in `range`.
  mutating func forget(_ range: ClosedRange<UInt16>) {
    discovered.removeAll { $0.range.overlaps(range) }
  }
}
