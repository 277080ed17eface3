/// What a day of a soak came to.
struct SoakDayReport: Sendable {
  /// From 1.
  let day: Int
  private(set) var ledger = SoakLedger.Findings()
  var sessions = 0
  var faults = 0
  /// Where a strap was not listened to although nothing had been done to it.
  var unexplained: [String] = []
  /// How long it took until data flowed again, in seconds, by fault.
  var recoveries: [String: [Double]] = [:]
  /// Each hour that straps were worn, and at the end of the day.
  var samples: [Resources] = []
  var databaseBytes: Int64 = 0

  init(day: Int) {
    self.day = day
  }

  /// Adds what was found of one strap.
  mutating func add(_ findings: SoakLedger.Findings) {
    ledger.sent += findings.sent
    ledger.told += findings.told
    ledger.stored += findings.stored
    ledger.lost += findings.lost
    ledger.lostInOutages += findings.lostInOutages
    ledger.wrong += findings.wrong
  }

  /// One line of the table.
  func line(after time: Duration) -> String {
    let last = samples.last
    return SoakReport.row([
      "\(day)", "\(ledger.sent)", "\(ledger.told)", "\(ledger.stored)", "\(ledger.lost)", "\(ledger.lostInOutages)",
      "\(faults)", "\(unexplained.count)", "\(sessions)", "\((last?.memory ?? 0) >> 10)", "\(last?.descriptors ?? 0)",
      "\(last?.threads ?? 0)", "\(databaseBytes >> 10)", "\(Int(time / .seconds(1)))",
    ])
  }
}
