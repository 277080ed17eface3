import Pipeline

/// The section `notifications`.
struct NotificationsSection: Encodable {
  struct Malformed: Encodable {
    let sequence: Int64
    let problem: String
  }

  var total = 0
  var malformed = 0
  var withoutRR = 0
  var withoutContact = 0
  var energyExpendedKJ: UInt16?
  var malformedExamples: [Malformed] = []

  init() {}

  init(_ counts: NotificationCounts) {
    total = counts.total
    malformed = counts.malformed
    withoutRR = counts.withoutRR
    withoutContact = counts.withoutContact
    energyExpendedKJ = counts.energyExpended
    malformedExamples = counts.malformedExamples.map { Malformed(sequence: $0.sequence, problem: $0.problem) }
  }
}
