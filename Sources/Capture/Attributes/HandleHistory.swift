import GATT
import TachogramCore

/// What was notified on one handle of one end of a connection.
struct HandleHistory: Sendable {
  /// Notifications at one instant that are too many to have arrived then: their time is that of the writing.
  struct Burst: Sendable {
    /// Their positions among all of the handle.
    var positions: Range<Int>
    /// How many of them have a time.
    var timed: Int
  }

  /// The most bursts that are kept.
  private static let mostBursts = 1024
  /// Notifications within this many microseconds of the first are at one instant.
  private static let instant: Int64 = 100_000
  /// Fewer notifications at one instant are never too many: straps deliver up to 4.5 s late, and send at most four a second.
  private static let fewestOfBurst = 24
  /// The most notifications that a strap sends in a second, more or less.
  private static let mostPerSecond: Int64 = 4

  let handle: UInt16
  /// The type of the attribute as far as it is known now; see `AttributeServer.types`.
  var type: UInt16?
  /// The stretches that are over.
  private(set) var past: [HandleStretch] = []
  /// The stretch that goes on.
  private(set) var current: HandleStretch
  /// Notifications in all stretches.
  private(set) var count = 0
  private(set) var bursts: [Burst] = []

  /// The last instant with notifications, and what came at it.
  private var instantStart = Int64.min
  private var instantFirst = 0
  private var instantCount = 0
  /// The time of the notification before it.
  private var timeBefore: Int64?
  private var lastTime: Int64?

  init(handle: UInt16, type: UInt16?) {
    self.handle = handle
    self.type = type
    current = HandleStretch(first: 0, meaning: type.map(AttributeMeaning.init))
  }

  /// Whether discovery on its connection leaves open what some of the notifications are.
  var isUnsure: Bool { current.isUnsure || past.contains(where: \.isUnsure) }

  /// All stretches; `isSubscribed` says whether the notifications are switched on now.
  func stretches(isSubscribed: Bool) -> [HandleStretch] {
    var last = current
    last.isSubscribed = isSubscribed
    return past + [last]
  }

  /// Adds the value of a notification in the attribute PDU `moment`. Whether it changes more than a count.
  @inline(__always)
  mutating func add(_ value: Span<UInt8>, at time: ReplayClock.Reading, moment: Int) -> Bool {
    let position = count
    count += 1
    current.count += 1
    if current.count == 1 { current.moment = moment }
    if current.meaning == nil, current.isPlausible { current.isPlausible = Self.isPlausible(value) }
    guard time.isKnown else {
      current.withoutTime += 1
      return current.count == 1
    }
    return addTime(time.monotonic.microseconds, position) || current.count == 1
  }

  /// Begins another stretch, as discovery or, with `meaning` `nil`, a Service Changed says. With `isKept` false, the one that
  /// begins stands for all that follow.
  mutating func begin(_ meaning: AttributeMeaning?, isSubscribed: Bool, isKept: Bool) {
    if current.isMixed { return }
    (instantStart, instantCount) = (.min, 0)
    if current.count == 0 {
      current.meaning = isKept ? meaning : nil
      current.isMixed = !isKept
      return
    }
    current.next = meaning
    current.isSubscribed = isSubscribed
    past.append(current)
    current = HandleStretch(first: count, meaning: isKept ? meaning : nil)
    current.isMixed = !isKept
  }

  /// Whether something is known of the current stretch, or it has notifications.
  var isBegunOrKnown: Bool { type != nil || current.meaning != nil || current.count > 0 }

  /// Whether `begin` makes one more.
  var isBegun: Bool { current.count > 0 && !current.isMixed }

  // MARK: - Time

  /// Takes the time of the notification at a position. Whether it belongs to a burst.
  @inline(__always)
  private mutating func addTime(_ time: Int64, _ position: Int) -> Bool {
    defer { lastTime = time }
    guard instantCount > 0, time &- instantStart <= Self.instant else {
      (instantStart, instantFirst, instantCount, timeBefore) = (time, position, 1, lastTime)
      return false
    }
    instantCount += 1
    return instantCount >= Self.fewestOfBurst && growBurst(to: position + 1)
  }

  private mutating func growBurst(to end: Int) -> Bool {
    if let last = bursts.last, last.positions.lowerBound == instantFirst {
      bursts[bursts.count - 1] = Burst(positions: instantFirst..<end, timed: instantCount)
      return true
    }
    let seconds = (instantStart &- (timeBefore ?? instantStart)) / 1_000_000 + 1
    guard Int64(instantCount) > Self.mostPerSecond * seconds, bursts.count < Self.mostBursts else { return false }
    bursts.append(Burst(positions: instantFirst..<end, timed: instantCount))
    return true
  }

  /// Stricter than decoding: no reserved flag and a rate that a heart can have, since many other values decode by
  /// chance.
  private static func isPlausible(_ value: Span<UInt8>) -> Bool {
    guard let flags = value.byte(at: 0), flags & 0xE0 == 0,
      let measurement = try? HeartRateMeasurementCodec.decode(value)
    else { return false }
    return measurement.heartRate == 0 || (20...250).contains(measurement.heartRate)
  }
}
