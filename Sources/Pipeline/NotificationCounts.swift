import TachogramCore

/// The counts of the notifications of a session. Every heart-rate notification in the source is counted: `found` is the sum of
/// `used`, `malformed` and `leftOut`.
package struct NotificationCounts: Sendable {
  /// The number of Heart Rate Measurement notifications in the ledger.
  package internal(set) var total = 0
  /// The number of notifications that could not be decoded; the ledger keeps their bytes.
  package internal(set) var malformed = 0
  /// The ledger sequence numbers of the first malformed notifications, with their errors.
  package internal(set) var malformedExamples: [(sequence: Int64, problem: String)] = []
  /// The number of well-formed notifications without an RR interval.
  package internal(set) var withoutRR = 0
  /// The number of well-formed notifications that report no skin contact.
  package internal(set) var withoutContact = 0
  /// The lowest heart rate that the strap reported, in bpm. Rates of 0, which straps send before the first measurement, are
  /// ignored.
  package var lowestHeartRate: UInt16? { heartRateCount == 0 ? nil : lowest }
  /// The highest heart rate that the strap reported, in bpm.
  package var highestHeartRate: UInt16? { heartRateCount == 0 ? nil : highest }
  /// The last energy expended that the strap reported, in kJ.
  package internal(set) var energyExpended: UInt16?
  /// The number of frames of pulse intervals in the ledger. They are not notifications of the Heart Rate Service.
  package internal(set) var pulseFrames = 0
  /// The number of these frames that could not be decoded; the ledger keeps their bytes.
  package internal(set) var malformedPulseFrames = 0
  /// The notifications that are not used, by reason. Overlapping ones are in the ledger, the others are not.
  package internal(set) var leftOut: LeftOutCounts
  private var lowest = UInt16.max
  private var highest = UInt16.min
  private var heartRateSum = 0
  private var heartRateCount = 0

  /// Creates counts of zero, with the given counts of left-out notifications.
  package init(leftOut: LeftOutCounts = LeftOutCounts()) { self.leftOut = leftOut }

  /// The maximum number of malformed notifications with a description.
  private static let describedExamples = 10

  /// The number of notifications of this strap in the source.
  package var found: Int { total + leftOut.total - leftOut[.overlap] }

  /// The number of notifications from which beats and heart rates are taken.
  package var used: Int { total - malformed - leftOut[.overlap] }

  /// The mean of the reported heart rates, in bpm.
  package var meanHeartRate: Double? {
    heartRateCount == 0 ? nil : Double(heartRateSum) / Double(heartRateCount)
  }

  mutating func add(_ measurement: HeartRateMeasurement) {
    withoutRR += measurement.rrIntervals.isEmpty ? 1 : 0
    withoutContact += measurement.contact == .notDetected ? 1 : 0
    if let energy = measurement.energyExpended { energyExpended = energy }
    let rate = measurement.heartRate
    guard rate > 0 else { return }
    heartRateSum += Int(rate)
    heartRateCount += 1
    lowest = min(lowest, rate)
    highest = max(highest, rate)
  }

  mutating func addMalformed(sequence: Int64, problem: @autoclosure () -> String) {
    malformed += 1
    if malformedExamples.count < Self.describedExamples { malformedExamples.append((sequence, problem())) }
  }
}
