/// The kind of a ledger row, as stored in the column `kind`.
enum LedgerKind: Int64 {
  case notification = 0
  case linkDown = 1
  case pulseIntervals = 2
}
