import GATT
import Presentation
import TachogramCore

/// Checks the ledger of an export for contradictions in itself and with its session.
///
/// The monotonic time of a session never runs backwards. In a live session it is the clock of the machine, which `record`
/// shifts to continue after a reboot; in a replay it is the time of the capture without its backward steps. The civil clock may
/// step in either direction. The two clocks may therefore diverge permanently, but a single entry at which they diverge, and
/// after which they agree again, is wrong.
package struct LedgerCheck {
  /// The tolerance in microseconds between the first entry and the start of its session: texts have milliseconds.
  private static let startTolerance: Int64 = 1_000
  /// The divergence of the two clocks between successive entries that is accepted, in microseconds.
  private static let step: Int64 = 1_000_000

  package let session: SessionArchive.Header
  package let ledger: [SessionArchive.Entry]

  /// Returns the first contradiction, or `nil` if there is none.
  package func contradiction() -> Contradiction? {
    if let start = session.start, start != text(session.startUs) {
      return Contradiction("session.startUs", "\(text(session.startUs)), but session.start is \(start)")
    }
    if let first = ledger.first, let found = contradiction(first: first) { return found }
    for position in ledger.indices {
      if let found = contradiction(at: position) { return found }
    }
    // A session that is still being recorded may have continued during the export.
    if session.complete, let end = session.end, end != text(ledger.last?.wallUs ?? session.startUs) {
      return Contradiction(
        "session.end", "\(end), but the last entry is of \(text(ledger.last?.wallUs ?? session.startUs))")
    }
    return nil
  }

  private func text(_ microseconds: Int64) -> String { Timestamp.text(WallTime(microseconds: microseconds)) }

  /// Checks that a session begins with its first entry, or, if it was made of intervals, with the first interval.
  private func contradiction(first: SessionArchive.Entry) -> Contradiction? {
    let monotonic = first.monotonicUs - session.startMonotonicUs
    if session.madeFrom != nil {
      return monotonic < 0
        ? Contradiction("ledger[0].monotonicUs", "it lies before session.startMonotonicUs") : nil
    }
    if abs(monotonic) > Self.startTolerance {
      return Contradiction("session.startMonotonicUs", "ledger[0].monotonicUs lies \(monotonic) µs after it")
    }
    let wall = first.wallUs - session.startUs
    return abs(wall) > Self.startTolerance
      ? Contradiction("session.startUs", "ledger[0].wallUs lies \(wall) µs after it") : nil
  }

  private func contradiction(at position: Int) -> Contradiction? {
    let entry = ledger[position]
    func key(_ name: String, _ position: Int = position) -> String { "ledger[\(position)].\(name)" }
    if let time = entry.time, time != text(entry.wallUs) {
      return Contradiction(key("wallUs"), "\(text(entry.wallUs)), but its time is \(time)")
    }
    if session.madeFrom != nil, entry.wallUs - session.startUs != entry.monotonicUs - session.startMonotonicUs {
      return Contradiction(key("monotonicUs"), "it is not as far from the start of the session as its wallUs")
    }
    if position > 0, entry.monotonicUs < ledger[position - 1].monotonicUs {
      return Contradiction(key("monotonicUs"), "it runs backwards, from \(ledger[position - 1].monotonicUs)")
    }
    if isAstray(position) {
      return Contradiction(key("monotonicUs"), "it does not agree with its wallUs, and those before and after it do")
    }
    return decoded(entry).map { name, said, value in Contradiction(key(name), "\(said), but its value says \(value)") }
  }

  /// Whether the clocks diverge at an entry, but not at the adjacent ones.
  private func isAstray(_ position: Int) -> Bool {
    guard position > 0, position + 1 < ledger.count else { return false }
    func difference(_ position: Int) -> Int64 { ledger[position].monotonicUs - ledger[position].wallUs }
    let (before, here, after) = (difference(position - 1), difference(position), difference(position + 1))
    return abs(here - before) > Self.step && abs(here - after) > Self.step && abs(after - before) <= Self.step / 10
  }

  /// Returns the first decoded field of an entry that contradicts its value.
  private func decoded(_ entry: SessionArchive.Entry) -> (key: String, said: String, value: String)? {
    if let frame = entry.frame.flatMap(Hexadecimal.bytes), let said = entry.ppiMs {
      let found = (try? PolarPPICodec.samples(ofFrame: frame))?.map { Int($0.interval) }
      if said != found { return ("ppiMs", "\(said)", found.map { "\($0)" } ?? "nothing") }
    }
    guard let bytes = entry.value.flatMap(Hexadecimal.bytes) else { return nil }
    guard let value = try? HeartRateMeasurementCodec.decode(bytes[...]) else {
      return entry.heartRate.map { ("heartRate", "\($0)", "nothing") }
    }
    if let rate = entry.heartRate, rate != Int(value.heartRate) {
      return ("heartRate", "\(rate)", "\(value.heartRate)")
    }
    if let contact = entry.contact, contact != value.contact.rawValue {
      return ("contact", contact, value.contact.rawValue)
    }
    if let energy = entry.energyExpendedKJ, energy != value.energyExpended.map(Int.init) {
      return ("energyExpendedKJ", "\(energy)", value.energyExpended.map { "\($0)" } ?? "nothing")
    }
    let ticks = value.rrIntervals.map { Int($0.ticks) }
    if let said = entry.rr1024, said != ticks { return ("rr1024", "\(said)", "\(ticks)") }
    if let error = entry.error { return ("error", error, "\(value.heartRate) bpm") }
    return nil
  }
}
