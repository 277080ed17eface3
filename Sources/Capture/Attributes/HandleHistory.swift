import GATT
import TachogramCore

/// The notifications on one handle of one end of a connection.
struct HandleHistory: Sendable {
  /// Notifications at one instant, too many to have arrived then. Their time is when they were written, not when they arrived.
  struct Burst: Sendable {
    /// The positions among all notifications of the handle.
    var positions: Range<Int>
    /// The number of notifications with a time.
    var timed: Int
  }

  /// The most bursts that are kept.
  private static let mostBursts = 1024
  /// The length of an instant in microseconds, from its first notification.
  private static let instant: Int64 = 100_000
  /// The fewest notifications of a burst. Straps deliver up to 4.5 s late and send at most four a second, so fewer may arrive
  /// at one instant.
  private static let fewestOfBurst = 24
  /// The approximate maximum of notifications that a strap sends in a second.
  private static let mostPerSecond: Int64 = 4

  let handle: UInt16
  /// The currently known type of the attribute; see `AttributeServer.types`.
  var type: UInt16?
  /// The finished stretches.
  private(set) var past: [HandleStretch] = []
  /// The current stretch.
  private(set) var current: HandleStretch
  /// The number of notifications in all stretches.
  private(set) var count = 0
  private(set) var bursts: [Burst] = []

  /// The last instant with notifications, its first notification, and their number.
  private var instantStart = Int64.min
  private var instantFirst = 0
  private var instantCount = 0
  /// The time of the notification before the instant.
  private var timeBefore: Int64?
  private var lastTime: Int64?

  init(handle: UInt16, type: UInt16?) {
    self.handle = handle
    self.type = type
    current = HandleStretch(first: 0, meaning: type.map(AttributeMeaning.init))
  }

  /// Whether the meaning of some notifications is unknown from discovery on their connection.
  var isUnsure: Bool { current.isUnsure || past.contains(where: \.isUnsure) }

  /// Returns all stretches. `isSubscribed` is whether the notifications are switched on now.
  func stretches(isSubscribed: Bool) -> [HandleStretch] {
    var last = current
    last.isSubscribed = isSubscribed
    return past + [last]
  }

  /// Adds the value of a notification in the attribute PDU `moment`. Returns whether it changes more than a count.
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

  /// Begins another stretch after discovery or, if `meaning` is `nil`, after a Service Changed indication. If `isKept` is
  /// `false`, the new stretch contains all further notifications, whatever their meaning.
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

  /// Whether the type or the meaning is known, or the current stretch has notifications.
  var isBegunOrKnown: Bool { type != nil || current.meaning != nil || current.count > 0 }

  /// Whether `begin` appends a stretch to `past`.
  var isBegun: Bool { current.count > 0 && !current.isMixed }

  // MARK: - Time

  /// Adds the time of the notification at a position. Returns whether it belongs to a burst.
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

  /// Whether a value is a plausible Heart Rate Measurement. This is stricter than decoding, which many other values pass by
  /// chance: no reserved flag, and a rate of 0 or 20 … 250 beats per minute.
  private static func isPlausible(_ value: Span<UInt8>) -> Bool {
    guard let flags = value.byte(at: 0), flags & 0xE0 == 0,
      let measurement = try? HeartRateMeasurementCodec.decode(value)
    else { return false }
    return measurement.heartRate == 0 || (20...250).contains(measurement.heartRate)
  }
}
