import Pipeline
import Sessions

/// The section `notifications`.
package struct NotificationsSection: Encodable {
  struct Malformed: Encodable {
    let sequence: Int64
    let problem: String
  }

  private enum Key: String, CodingKey {
    case total, withoutRR, withoutContact, energyExpendedKJ, malformedExamples, pulseFrames, malformedPulseFrames
  }

  /// The number of notifications in the ledger.
  private(set) var total = 0
  private(set) var withoutRR = 0
  private(set) var withoutContact = 0
  private(set) var energyExpendedKJ: UInt16?
  private(set) var malformedExamples: [Malformed] = []
  /// The number of frames of pulse intervals, which are not notifications of the Heart Rate Service; `nil` without any.
  private(set) var pulseFrames: Int?
  private(set) var malformedPulseFrames: Int?
  /// The account of all notifications in the input.
  private(set) var account = NotificationAccount()

  var malformed: Int { account.malformed }

  init() {}

  init(_ counts: NotificationCounts) {
    total = counts.total
    withoutRR = counts.withoutRR
    withoutContact = counts.withoutContact
    energyExpendedKJ = counts.energyExpended
    malformedExamples = counts.malformedExamples.map { Malformed(sequence: $0.sequence, problem: $0.problem) }
    if counts.pulseFrames > 0 {
      (pulseFrames, malformedPulseFrames) = (counts.pulseFrames, counts.malformedPulseFrames)
    }
    account = NotificationAccount(counts)
  }

  package func encode(to encoder: any Encoder) throws {
    try account.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(total, forKey: .total)
    try container.encode(withoutRR, forKey: .withoutRR)
    try container.encode(withoutContact, forKey: .withoutContact)
    try container.encodeIfPresent(energyExpendedKJ, forKey: .energyExpendedKJ)
    try container.encode(malformedExamples, forKey: .malformedExamples)
    try container.encodeIfPresent(pulseFrames, forKey: .pulseFrames)
    try container.encodeIfPresent(malformedPulseFrames, forKey: .malformedPulseFrames)
  }
}
