/// What a row of the ledger is, as the column `kind` says it.
enum LedgerKind: Int64 {
  case notification = 0
  case linkDown = 1
}
