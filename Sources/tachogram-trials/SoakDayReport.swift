/// The result of a day of a soak.
struct SoakDayReport: Sendable {
  /// The number of the day, from 1.
  let day: Int
  private(set) var ledger = SoakLedger.Findings()
  var sessions = 0
  var faults = 0
  /// The times at which a strap was not received without a fault.
  var unexplained: [String] = []
  /// The recovery times in seconds, by fault.
  var recoveries: [String: [Double]] = [:]
  /// The resources of each hour in which straps were worn, and of the end of the day.
  var samples: [Resources] = []
  var databaseBytes: Int64 = 0

  init(day: Int) {
    self.day = day
  }

  /// Adds the findings about a strap.
  mutating func add(_ findings: SoakLedger.Findings) {
    ledger.sent += findings.sent
    ledger.told += findings.told
    ledger.stored += findings.stored
    ledger.lost += findings.lost
    ledger.lostInOutages += findings.lostInOutages
    ledger.wrong += findings.wrong
  }

  /// Returns a line of the table.
  func line(after time: Duration) -> String {
    let last = samples.last
    return SoakReport.row([
      "\(day)", "\(ledger.sent)", "\(ledger.told)", "\(ledger.stored)", "\(ledger.lost)", "\(ledger.lostInOutages)",
      "\(faults)", "\(unexplained.count)", "\(sessions)", "\((last?.memory ?? 0) >> 10)", "\(last?.descriptors ?? 0)",
      "\(last?.threads ?? 0)", "\(databaseBytes >> 10)", "\(Int(time / .seconds(1)))",
    ])
  }
}
