import GATT
import TachogramCore

/// What a strap of a trial sent: notification after notification, each with one beat of a second, each with its number.
struct TrialPlay: Sendable {
  /// One notification.
  struct Sending: Hashable, Sendable {
    /// When its beat ended, by the strap's own clock.
    let due: MonotonicTime
    /// When it had been handed over, which is later where the machine was busy.
    let handed: MonotonicTime

    /// How late it was, in microseconds.
    var lateness: Int64 { handed.microseconds(since: due) }
  }

  /// By number, where they are kept.
  private(set) var sendings: [Sending] = []
  /// How many were sent.
  private(set) var count = 0
  /// How many were received by anybody.
  private(set) var told = 0

  private let keepsSendings: Bool

  /// With `keepsSendings` it remembers when each was sent, which takes memory.
  init(keepsSendings: Bool) {
    self.keepsSendings = keepsSendings
  }

  mutating func append(_ sending: Sending, isTold: Bool) {
    count += 1
    if keepsSendings { sendings.append(sending) }
    if isTold { told += 1 }
  }

  // MARK: - Numbers in values

  /// The value of a notification, which carries its number in the place of the energy.
  static func value(_ number: Int) -> [UInt8] {
    HeartRateMeasurementCodec.encode(
      HeartRateMeasurement(
        heartRate: 60, energyExpended: UInt16(truncatingIfNeeded: number),
        rrIntervals: RRIntervals([RRInterval(ticks: 1024)])))
  }

  /// The number of a notification that follows the one with number `last`; `nil` for a value that was not sent.
  static func number(of value: [UInt8], after last: Int) -> Int? {
    guard let energy = try? HeartRateMeasurementCodec.decode(value[...]).energyExpended else { return nil }
    return last + Int(energy &- UInt16(truncatingIfNeeded: last))
  }
}
