import Foundation
import GATT
import Pipeline
import Repository
import StressKit
import TachogramCore
import TachogramTestKit

/// Nights of eight hours, one notification a second, with everything that is derived from them.
struct SimulatedYear {
  private static let night = 8 * 3_600
  /// The seconds of a part that is stored at once.
  private static let part = 3_600

  let nights: Int

  init(nights: Int) { self.nights = nights }

  /// Stores the nights in a new database. The last one ended yesterday.
  func fill(_ path: String) throws {
    let database = try TachogramDatabase.open(path: path)
    let today = Int64(Date().timeIntervalSince1970) / 86_400
    for night in 0..<nights {
      let start = WallTime(microseconds: (today - Int64(nights - night)) * 86_400_000_000 - 7_200_000_000)
      try store(start, number: night, in: database)
    }
  }

  private func store(_ start: WallTime, number: Int, in database: TachogramDatabase) throws {
    let sessions = SessionRepository(database: database)
    let address = BluetoothAddress(value: 0xC8DE_ADBE_EF01, kind: .random)
    let session = SessionDescription(
      id: UUID().uuidString.lowercased(),
      strap: StrapIdentity(address: address, characteristics: [0x2A00: Array("H10".utf8)]), origin: .live,
      person: "anna", label: nil, deviceID: "bedroom", start: start,
      monotonicStart: MonotonicTime(microseconds: 77_000_000))
    try sessions.begin(session)
    var deriver = SessionDeriver(
      session, baseline: .default(kind: .sdnn, lastUpdated: Date(timeIntervalSince1970: 0)))
    var random = SplitMix64(seed: UInt64(number + 1))
    var (beat, isFirst) = (0.0, true)
    for first in stride(from: 0, to: Self.night, by: Self.part) {
      var entries: [LedgerEntry] = []
      for second in first..<first + Self.part {
        entries.append(entry(second, session, &beat, &random))
      }
      deriver.ingest(entries)
      if first + Self.part == Self.night { deriver.finish() }
      var batch = deriver.drainRows()
      batch.entries = entries
      if isFirst { batch.links = [StrapLink(number: 0, bootID: "4c1b", handle: 16, handleSource: .discovered)] }
      isFirst = false
      try sessions.append(batch, to: session.id)
    }
    try sessions.finish(session.id)
  }

  /// A notification with the beats of a second: slower in the second half of each 90 minutes, with the breath and noise in it.
  private func entry(
    _ second: Int, _ session: SessionDescription, _ beat: inout Double, _ random: inout SplitMix64
  ) -> LedgerEntry {
    let phase = Double(second % 5_400) / 5_400
    var intervals: [RRInterval] = []
    while beat < Double(second + 1) {
      let noise = 0.02 * (Double(random.next() >> 11) / Double(1 << 53) - 0.5)
      let length = 1.02 + 0.08 * phase + 0.03 * sin(2 * .pi * 0.23 * beat) + noise
      beat += length
      intervals.append(RRInterval(ticks: UInt16((length * 1024).rounded())))
    }
    let value = HeartRateMeasurement(heartRate: 56, contact: .detected, rrIntervals: RRIntervals(intervals))
    let jitter = Int64(random.next() % 20_000)
    let monotonic = session.monotonicStart.advanced(byMicroseconds: Int64(second) * 1_000_000 + jitter)
    return LedgerEntry(
      sequence: Int64(second), link: 0, monotonic: monotonic, wall: session.wall(monotonic),
      content: .notification(HeartRateMeasurementCodec.encode(value)))
  }
}
