import GATT
import Statistics

/// The latest results of the discovery of primary services at one end of a link, by range of handles.
struct ServiceMap {
  struct Service: Hashable, Sendable {
    let handles: ClosedRange<UInt16>
    /// A 16-bit UUID; those of 128 bits are `AttributeType.unknown`.
    let type: UInt16
  }

  /// The service around a handle.
  enum Word: Hashable {
    case service(UInt16)
    /// No primary service, although the Heart Rate Service was found elsewhere.
    case none

    var isHeartRate: Bool { self == .service(GATTUUID.heartRateService) }

    /// Whether the service can have a Heart Rate Measurement. A vendor-specific service can.
    var canHaveHeartRate: Bool { isHeartRate || self == .service(AttributeType.unknown) }
  }

  /// The most ranges that are kept. The oldest are discarded.
  private static let mostRanges = 64

  private struct Discovery {
    let range: ClosedRange<UInt16>
    /// The services in the order of their handles, without overlaps.
    let services: [Service]
    /// The ordinal of the attribute PDU that ended it.
    let moment: Int

    func word(of handle: UInt16) -> Word? {
      let next = services.partitioned { $0.handles.lowerBound > handle }
      if next > 0, services[next - 1].handles.contains(handle) { return .service(services[next - 1].type) }
      // The response with a service may be missing in the capture.
      return services.contains { $0.type == GATTUUID.heartRateService } ? Word.none : nil
    }
  }

  private var discovered: [Discovery] = []

  /// Returns the service around a handle, or `nil` if it is unknown.
  func word(of handle: UInt16) -> Word? {
    discovered.last { $0.range.contains(handle) }?.word(of: handle)
  }

  /// Returns the ordinal of the attribute PDU from which on the services exclude a Heart Rate Measurement on a handle, or `nil`
  /// if they do not.
  func ruledOut(_ handle: UInt16) -> Int? {
    guard let last = discovered.last(where: { $0.range.contains(handle) }), let word = last.word(of: handle) else {
      return nil
    }
    return word.canHaveHeartRate ? nil : last.moment
  }

  /// Records the result of a complete discovery of a range, in the order of the handles. Returns whether it is new.
  mutating func discover(_ range: ClosedRange<UInt16>, _ services: [Service], at moment: Int) -> Bool {
    if let last = discovered.last, last.range == range, last.services == services { return false }
    discovered.removeAll { range.contains($0.range.lowerBound) && range.contains($0.range.upperBound) }
    if discovered.count >= Self.mostRanges { discovered.removeFirst() }
    discovered.append(Discovery(range: range, services: services, moment: moment))
    return true
  }

  /// Removes the results for ranges that overlap `range`.
  mutating func forget(_ range: ClosedRange<UInt16>) {
    discovered.removeAll { $0.range.overlaps(range) }
  }
}
