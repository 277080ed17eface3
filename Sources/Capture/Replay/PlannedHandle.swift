import TachogramCore

/// The use of all notifications on one handle of one end of a connection.
struct PlannedHandle {
  let handle: UInt16
  /// The number of notifications.
  private let count: Int
  /// The parts of replayed and of other notifications, in alternation.
  private var parts: [HandleRoute.Part] = []
  /// The moment of the first stretch with replayed notifications, or `nil` if there are none.
  private(set) var begin: Int?
  /// The number of replayed notifications.
  private(set) var usable = 0
  /// The reason for which the handle is heart rate: the most certain one of its stretches.
  private(set) var source = HandleSource.inferred
  private(set) var leftOut = LeftOutCounts()
  /// The number of notifications that are something else, after some that were heart rate.
  private(set) var reassigned = 0
  /// The number of notifications that could be heart rate, without any evidence.
  private(set) var unidentified = 0

  /// Creates the use. `given` is the handle that the user specified for heart rate; then no other handle carries it.
  init(_ history: HandleHistory, _ stretches: [HandleStretch], device: DeviceAttributes?, given: UInt16?) {
    handle = history.handle
    count = history.count
    var bursts = history.bursts[...]
    for stretch in stretches where stretch.count > 0 {
      let use = Self.use(of: stretch, handle: history.handle, device: device, given: given)
      let end = stretch.first + stretch.count
      switch use {
      case .heartRate(let source): addHeartRate(stretch, source, to: end, &bursts)
      case .leftOut(let reason):
        leftOut[reason] += stretch.count
        unidentified += reason == .unidentifiedHandle ? stretch.count : 0
      case .other: reassigned += usable > 0 ? stretch.count : 0
      case .unidentified: unidentified += stretch.isPlausible ? stretch.count : 0
      }
      let isUsed = if case .heartRate = use { true } else { false }
      append(end: end, isUsed: isUsed)
    }
  }

  private static func use(
    of stretch: HandleStretch, handle: UInt16, device: DeviceAttributes?, given: UInt16?
  ) -> StretchUse {
    if let given { return handle == given ? .heartRate(.given) : .other }
    if let device { return device.use(of: stretch, handle: handle) }
    // If nothing had to be looked up, every stretch has a meaning.
    return stretch.meaning == .heartRate ? .heartRate(.discovered) : .other
  }

  /// Returns the route of the notifications; `destination` is that of replayed ones.
  func route(_ end: LinkEnd, to destination: HandleRoute.Destination?) -> HandleRoute {
    var parts = parts
    if let last = parts.popLast() { parts.append(HandleRoute.Part(end: .max, isUsed: last.isUsed)) }
    return HandleRoute(end: end, handle: handle, destination: destination, parts: parts, notifications: count)
  }

  /// Adds a stretch of heart rate with its bursts.
  private mutating func addHeartRate(
    _ stretch: HandleStretch, _ source: HandleSource, to end: Int, _ bursts: inout ArraySlice<HandleHistory.Burst>
  ) {
    var lost = stretch.withoutTime
    while let burst = bursts.first, burst.positions.lowerBound < end {
      bursts.removeFirst()
      guard burst.positions.lowerBound >= stretch.first else { continue }
      lost += burst.timed
      append(end: burst.positions.lowerBound, isUsed: true)
      append(end: burst.positions.upperBound, isUsed: false)
    }
    leftOut[.withoutTime] += lost
    let used = stretch.count - lost
    guard used > 0 else { return }
    if begin == nil { begin = stretch.moment }
    usable += used
    self.source = Self.surer(source, self.source)
  }

  private mutating func append(end: Int, isUsed: Bool) {
    if end <= parts.last?.end ?? 0 { return }
    if parts.last?.isUsed == isUsed { parts.removeLast() }
    parts.append(HandleRoute.Part(end: end, isUsed: isUsed))
  }

  private static func surer(_ one: HandleSource, _ other: HandleSource) -> HandleSource {
    let order: [HandleSource] = [.given, .discovered, .inherited, .inferred]
    return order.first { $0 == one || $0 == other } ?? one
  }
}
