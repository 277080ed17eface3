import Foundation
import TachogramCore

@testable import Sync

/// A simulated ledger: one notification a second with the beats that ended since the previous one, as straps send them. The
/// constants are those of the simulated strap of the main test kit.
struct SimulatedLedger {
  var duration = 3600
  var seed: UInt64 = 1
  var id = "0b1e2d3c-0000-4000-8000-000000000001"

  func chunk() -> LedgerChunk {
    let start = WallTime(microseconds: 1_774_746_000_000_000)
    let session = SessionDescription(
      id: id,
      strap: StrapIdentity(
        address: BluetoothAddress(value: 0xC8DE_ADBE_EF01, kind: .random),
        characteristics: [0x2A00: Array("Polar H10 12345678".utf8), 0x2A19: [93]]),
      origin: .live, person: "Ada", label: nil, deviceID: "b5a3", start: start,
      monotonicStart: MonotonicTime(microseconds: 77_000_000))
    let links = [StrapLink(number: 0, bootID: "4c1b", handle: 0x0010, handleSource: .discovered)]
    return LedgerChunk(session: session, links: links, entries: entries(session))
  }

  private func entries(_ session: SessionDescription) -> [LedgerEntry] {
    var random = TestRandom(seed: seed)
    var (ticks, pending): (Int, (end: Int, length: UInt16)?) = (0, nil)
    var recent: [Double] = []
    return (0..<duration).map { second in
      var intervals: [UInt16] = []
      while true {
        let next = pending ?? Self.beat(after: ticks, &random)
        pending = next
        guard next.end <= (second + 1) * 1024 else { break }
        pending = nil
        ticks = next.end
        intervals.append(next.length)
        recent.append(Double(next.length) * 1000 / 1024)
      }
      recent = recent.suffix(8)
      let rate = recent.isEmpty ? 0 : 60_000 * Double(recent.count) / recent.reduce(0, +)
      let value = [intervals.isEmpty ? 0x06 : 0x16, UInt8(rate.rounded())]
      let jitter = Int64(random.unit() * 15_000)
      let monotonic = session.monotonicStart.advanced(byMicroseconds: Int64(second) * 1_000_000 + jitter)
      return LedgerEntry(
        sequence: Int64(second), link: 0, monotonic: monotonic, wall: session.wall(monotonic),
        content: .notification(value + intervals.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }))
    }
  }

  private static func beat(after ticks: Int, _ random: inout TestRandom) -> (end: Int, length: UInt16) {
    let time = Double(ticks) / 1024
    let milliseconds =
      60_000 / 62 + 40 * sin(2 * .pi * 0.25 * time) + 25 * sin(2 * .pi * 0.1 * time) + 12 * (random.unit() - 0.5)
    let length = UInt16((milliseconds * 1.024).rounded())
    return (ticks + Int(length), length)
  }
}
