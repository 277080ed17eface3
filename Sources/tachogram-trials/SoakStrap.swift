import FakeBlueZ
import GATT
import TachogramCore
import TachogramTestKit

/// A strap of a soak on one day: the time it is worn, its notifications, and whether they have to arrive.
struct SoakStrap {
  /// The state of a notification when it was sent.
  enum Fate: UInt8, Sendable {
    /// It was not emitted, because of an outage.
    case untold
    /// It was emitted in an outage, and may be lost with the end of the link.
    case told
    /// It was emitted without an outage.
    case due
  }

  /// A time in which notifications may be lost.
  struct Outage: Sendable {
    let name: String
    /// The beginning of the recovery.
    var since: MonotonicTime
    /// Whether recovery may begin.
    var isOver: Bool
    /// The number of consecutive notifications that arrived.
    var good = 0
  }

  let ordinal: Int
  let strap: FakeStrap
  /// The time it is worn, in seconds of the day.
  let worn: Range<Int>
  var isWorn = false
  var outage: Outage?
  /// The states by number.
  private(set) var fates: [Fate] = []

  init(ordinal: Int, strap: FakeStrap, worn: Range<Int>) {
    (self.ordinal, self.strap, self.worn) = (ordinal, strap, worn)
    fates.reserveCapacity(worn.count)
  }

  /// The number of the last notification, or -1.
  var last: Int { fates.count - 1 }

  mutating func append(_ fate: Fate) { fates.append(fate) }

  /// Returns the value of a notification: one beat of about a second, with the number in place of the energy.
  static func value(_ number: Int, of ordinal: Int) -> [UInt8] {
    let ticks = UInt16(1024 + shift(number + 1, ordinal) - shift(number, ordinal))
    return HeartRateMeasurementCodec.encode(
      HeartRateMeasurement(
        heartRate: 61_440 / ticks, energyExpended: UInt16(truncatingIfNeeded: number),
        rrIntervals: RRIntervals([RRInterval(ticks: ticks)])))
  }

  /// Returns the delay of a beat after its second, in ticks. The beats of an hour are as long as the hour.
  private static func shift(_ number: Int, _ ordinal: Int) -> Int {
    var random = SplitMix64(seed: UInt64(number) << 8 | UInt64(ordinal))
    return Int(random.next() % 61)
  }
}
