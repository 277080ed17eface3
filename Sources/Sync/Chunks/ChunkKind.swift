/// What a chunk contains. A kind that this program does not know is kept sealed and counted.
package enum ChunkKind: Hashable, Sendable {
  /// Ledger entries of one session.
  case ledger
  /// Stress measurements.
  case stress
  /// Movement, sound and alarms of nights.
  case sleep
  /// What people entered or deleted.
  case edit
  /// A kind of a newer program, by its number.
  case unknown(UInt8)

  package init(number: UInt8) {
    self =
      switch number {
      case 1: .ledger
      case 2: .stress
      case 3: .sleep
      case 4: .edit
      default: .unknown(number)
      }
  }

  /// The number in the encoded form.
  package var number: UInt8 {
    switch self {
    case .ledger: 1
    case .stress: 2
    case .sleep: 3
    case .edit: 4
    case .unknown(let number): number
    }
  }
}
