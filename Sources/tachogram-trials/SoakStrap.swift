import FakeBlueZ
import GATT
import TachogramCore
import TachogramTestKit

/// One strap of a soak on one day: when it is worn, what it sent, and whether that has to arrive.
struct SoakStrap {
  /// What became of a notification when it was sent.
  enum Fate: UInt8, Sendable {
    /// Nobody was notified: in an outage.
    case untold
    /// It was emitted, in an outage; the end of the link may have taken it.
    case told
    /// It was emitted while all was well.
    case due
  }

  /// A time in which notifications may be lost.
  struct Outage: Sendable {
    let name: String
    /// From when recovery counts.
    var since: MonotonicTime
    /// Whether recovery may begin.
    var isOver: Bool
    /// Notifications in a row that arrived.
    var good = 0
  }

  let ordinal: Int
  let strap: FakeStrap
  /// When it is put on and taken off, in seconds of the day.
  let worn: Range<Int>
  var isWorn = false
  var outage: Outage?
  /// By number.
  private(set) var fates: [Fate] = []

  init(ordinal: Int, strap: FakeStrap, worn: Range<Int>) {
    (self.ordinal, self.strap, self.worn) = (ordinal, strap, worn)
    fates.reserveCapacity(worn.count)
  }

  /// The number of the last notification; -1 before the first.
  var last: Int { fates.count - 1 }

  mutating func append(_ fate: Fate) { fates.append(fate) }

  /// The value of a notification: one beat of about a second, and the number in the place of the energy.
  static func value(_ number: Int, of ordinal: Int) -> [UInt8] {
    let ticks = UInt16(1024 + shift(number + 1, ordinal) - shift(number, ordinal))
    return HeartRateMeasurementCodec.encode(
      HeartRateMeasurement(
        heartRate: 61_440 / ticks, energyExpended: UInt16(truncatingIfNeeded: number),
        rrIntervals: RRIntervals([RRInterval(ticks: ticks)])))
  }

  /// How much a beat comes after its second, in ticks: the beats of an hour are as long as the hour.
  private static func shift(_ number: Int, _ ordinal: Int) -> Int {
    var random = SplitMix64(seed: UInt64(number) << 8 | UInt64(ordinal))
    return Int(random.next() % 61)
  }
}
