import TachogramCore

/// What was notified in a session. Each heart-rate notification that the source holds is accounted for: `found` is `used` and
/// `malformed` and `leftOut` together.
package struct NotificationCounts: Sendable {
  /// Heart Rate Measurement notifications in the ledger.
  package internal(set) var total = 0
  /// Those that could not be decoded; they are kept raw in the ledger.
  package internal(set) var malformed = 0
  /// The ledger sequences of the first malformed ones with what is wrong with them.
  package internal(set) var malformedExamples: [(sequence: Int64, problem: String)] = []
  /// Well-formed ones without an RR interval.
  package internal(set) var withoutRR = 0
  /// Well-formed ones that say that there was no skin contact.
  package internal(set) var withoutContact = 0
  /// The lowest heart rate that the strap reported, in bpm; rates of 0, which straps send before they know one, do
  /// not count.
  package var lowestHeartRate: UInt16? { heartRateCount == 0 ? nil : lowest }
  /// The highest, in bpm.
  package var highestHeartRate: UInt16? { heartRateCount == 0 ? nil : highest }
  /// The last energy expended that the strap reported, in kJ.
  package internal(set) var energyExpended: UInt16?
  /// Those that are not used, by reason. The ones that overlap are in the ledger, the others are not.
  package internal(set) var leftOut: LeftOutCounts
  private var lowest = UInt16.max
  private var highest = UInt16.min
  private var heartRateSum = 0
  private var heartRateCount = 0

  /// None but those that are left out.
  package init(leftOut: LeftOutCounts = LeftOutCounts()) { self.leftOut = leftOut }

  /// How many malformed notifications are described.
  private static let describedExamples = 10

  /// Those that the source holds for this strap.
  package var found: Int { total + leftOut.total - leftOut[.overlap] }

  /// Those that beats and heart rates are of.
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
