import GATT
import TachogramCore

/// The notifications that a strap of a trial sent, each with one beat of a second and a number.
struct TrialPlay: Sendable {
  /// A notification.
  struct Sending: Hashable, Sendable {
    /// The end of its beat, by the strap's clock.
    let due: MonotonicTime
    /// The time of its delivery, which is later on a busy machine.
    let handed: MonotonicTime

    /// The delay in microseconds.
    var lateness: Int64 { handed.microseconds(since: due) }
  }

  /// The notifications by number, if they are kept.
  private(set) var sendings: [Sending] = []
  /// The number of sent notifications.
  private(set) var count = 0
  /// The number of received notifications.
  private(set) var told = 0

  private let keepsSendings: Bool

  /// Creates a record. With `keepsSendings`, the time of each notification is kept, which needs memory.
  init(keepsSendings: Bool) {
    self.keepsSendings = keepsSendings
  }

  mutating func append(_ sending: Sending, isTold: Bool) {
    count += 1
    if keepsSendings { sendings.append(sending) }
    if isTold { told += 1 }
  }

  // MARK: - Numbers in values

  /// Returns the value of a notification, which contains its number in place of the energy.
  static func value(_ number: Int) -> [UInt8] {
    HeartRateMeasurementCodec.encode(
      HeartRateMeasurement(
        heartRate: 60, energyExpended: UInt16(truncatingIfNeeded: number),
        rrIntervals: RRIntervals([RRInterval(ticks: 1024)])))
  }

  /// Returns the number of the notification that follows the one with number `last`, or `nil` for a value that was not sent.
  static func number(of value: [UInt8], after last: Int) -> Int? {
    guard let energy = try? HeartRateMeasurementCodec.decode(value[...]).energyExpended else { return nil }
    return last + Int(energy &- UInt16(truncatingIfNeeded: last))
  }
}
