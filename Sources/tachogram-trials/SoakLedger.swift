import GATT
import Repository
import TachogramCore

/// Compares the ledger of a strap's day with the notifications that the strap sent.
struct SoakLedger {
  /// The numbers of notifications by finding.
  struct Findings: Hashable, Sendable {
    var sent = 0
    var told = 0
    var stored = 0
    /// Notifications that had to arrive, and are not in the ledger.
    var lost = 0
    /// Notifications that were emitted in an outage, and are not in the ledger.
    var lostInOutages = 0
    /// Entries of the ledger that were never emitted, are repeated, out of order or different.
    var wrong = 0
  }

  private let ordinal: Int
  private let fates: [SoakStrap.Fate]

  init(_ strap: SoakStrap) {
    self.init(ordinal: strap.ordinal, fates: strap.fates)
  }

  init(ordinal: Int, fates: [SoakStrap.Fate]) {
    (self.ordinal, self.fates) = (ordinal, fates)
  }

  /// Compares the sessions of the strap.
  func check(_ sessions: [SessionRecord], in database: TachogramDatabase) throws -> Findings {
    let repository = SessionRepository(database: database)
    var values: [[UInt8]] = []
    for session in sessions.sorted(by: { $0.description.start < $1.description.start }) {
      try repository.forEachEntry(of: session.description.id) { entries in
        for entry in entries { if case .notification(let value) = entry.content { values.append(value) } }
      }
    }
    return check(values)
  }

  /// Compares the values of the ledger, in order.
  func check(_ values: [[UInt8]]) -> Findings {
    var findings = Findings()
    findings.sent = fates.count
    findings.told = fates.count { $0 != .untold }
    findings.stored = values.count
    var isStored = [Bool](repeating: false, count: fates.count)
    var last = -1
    for value in values {
      guard let energy = (try? HeartRateMeasurementCodec.decode(value[...]))?.energyExpended,
        fates.indices.contains(Int(energy)), Int(energy) > last, fates[Int(energy)] != .untold,
        value == SoakStrap.value(Int(energy), of: ordinal)
      else {
        findings.wrong += 1
        continue
      }
      last = Int(energy)
      isStored[last] = true
    }
    for (fate, isStored) in zip(fates, isStored) where !isStored {
      if fate == .due { findings.lost += 1 }
      if fate == .told { findings.lostInOutages += 1 }
    }
    return findings
  }
}
