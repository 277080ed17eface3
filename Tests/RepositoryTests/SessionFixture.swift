import FoundationEssentials
import StressKit
import TachogramCore

/// Sessions and batches for the tests: an entry a second, two beats with every fourth.
struct SessionFixture {
  static let wallStart: Int64 = 1_767_225_600_000_000
  static let monotonicStart: Int64 = 5_000_000

  static let id = identifier(1)

  static func identifier(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits + "-aaaa-8bbb-9ccc-ddddeeeeffff"
  }

  static func description(
    id: String = id, person: String? = nil, characteristics: [UInt16: [UInt8]] = [:], startSecond: Int64 = 0,
  ) -> SessionDescription {
    SessionDescription(
      id: id,
      strap: StrapIdentity(
        address: BluetoothAddress(value: 0xC8DE_ADBE_EF01, kind: .random), characteristics: characteristics,
      ),
      origin: .replay, person: person, start: WallTime(microseconds: wallStart + startSecond * 1_000_000),
      monotonicStart: MonotonicTime(microseconds: monotonicStart),
    )
  }

  static func link(_ number: Int = 0) -> StrapLink {
    StrapLink(number: number, bootID: "boot", handle: 0x0010, handleSource: .discovered)
  }

  static func entry(_ sequence: Int64, link: Int = 0, content: LedgerEntry.Content? = nil) -> LedgerEntry {
    LedgerEntry(
      sequence: sequence, link: link, monotonic: MonotonicTime(microseconds: monotonicStart + sequence * 1_000_000),
      wall: WallTime(microseconds: wallStart + sequence * 1_000_000),
      content: content ?? .notification([0x10, 60, UInt8(truncatingIfNeeded: sequence), 3]),
    )
  }

  static func beat(_ sequence: Int64, entry: Int64, ticks: UInt16 = 1024) -> Beat {
    Beat(
      sequence: sequence, time: MonotonicTime(microseconds: monotonicStart + entry * 1_000_000),
      rr: RRInterval(ticks: ticks), ledgerSequence: entry,
    )
  }

  static func gap(_ sequence: Int64, entry: Int64, reason: BeatGap.Reason = .lost) -> BeatGap {
    BeatGap(
      sequence: sequence, start: MonotonicTime(microseconds: entry * 1_000_000),
      end: MonotonicTime(microseconds: entry * 1_000_000 + 500), reason: reason, ledgerSequence: entry,
    )
  }

  static func window(endSecond: Int64, length: WindowLength = .minute, values: HRVValues = HRVValues()) -> HRVWindow {
    HRVWindow(
      length: length, end: MonotonicTime(microseconds: endSecond * 1_000_000), coverage: 0.97, artifactShare: 1.0 / 3,
      metrics: TimeDomainMetrics(count: 61, pairCount: 60, duration: 59_999.023_437_5, values: values),
    )
  }

  static func stress(
    person: String? = nil, kind: HRVKind = .sdnn, second: Double = 0, sessionID: String? = id,
  ) -> StressMeasurement {
    let timestamp = Date(timeIntervalSince1970: Double(wallStart / 1_000_000) + second)
    return StressMeasurement(
      id: UUID(), timestamp: timestamp, stressLevel: 40.204_44, category: .mild, confidence: 0.7, hrv: 25, kind: kind,
      heartRate: 60, restingHeartRate: 60, person: person, sessionID: sessionID, deviceID: "gateway",
      modified: timestamp,
    )
  }

  /// The entries of `range` with their beats; link 0 comes with entry 0.
  static func batch(_ range: Range<Int64>) -> SessionBatch {
    var batch = SessionBatch()
    if range.lowerBound == 0 { batch.links = [link()] }
    for sequence in range {
      batch.entries.append(entry(sequence))
      let firstBeat = beatCount(entries: sequence)
      for offset in 0..<(beatCount(entries: sequence + 1) - firstBeat) {
        batch.beats.append(beat(firstBeat + offset, entry: sequence))
      }
    }
    return batch
  }

  /// How many beats come with the first `entries` entries.
  static func beatCount(entries: Int64) -> Int64 {
    entries + (entries + 3) / 4
  }
}
