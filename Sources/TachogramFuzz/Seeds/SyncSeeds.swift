import Foundation
import StressKit
import Sync
import TachogramCore

/// Seeds of the forms that stations and sync servers read.
enum SyncSeeds {
  static func values() throws -> [FuzzSeed] {
    FuzzSeeds.numbered(try forms().map { form, bytes in [form.rawValue] + bytes })
  }

  private static func forms() throws -> [(SyncFuzz.Form, [UInt8])] {
    let (keys, recovery) = (try StationKeys(), RecoveryKey())
    let (space, record) = try MembershipChanges.found(by: keys, recovery: try recovery.keys().identity)
    let membership = try Membership(space: space, records: [record])
    let chunk = Chunk(
      kind: .edit, sealed: WallTime(microseconds: 1_774_742_400_000_000),
      heads: [LogHead(station: keys.id, sequence: 3, digest: SyncFuzz.digest)], memberHeads: membership.heads,
      payload: try EditChunkCodec.encode(edits(by: keys.id)))
    var writer = LogWriter(space: space, head: nil)
    let envelope = try writer.append(chunk, to: membership.currentEpoch, by: keys)
    let objects = [1, 2].map { (sequence: UInt64) in
      StoreObject(key: StoreKey(log: SyncFuzz.log, sequence: sequence), bytes: [1, 2, 3])
    }
    let stored = objects.map { StoredChunk(sequence: $0.key.sequence, bytes: $0.bytes) }
    let listing = StoreListing(sequences: [1, 2, 9], isWhole: true)
    var log = VerifiedLog(station: SyncFuzz.station)
    log.pin(LogHead(station: SyncFuzz.station, sequence: 4, digest: SyncFuzz.digest), by: keys.id)
    log.addDeletedBodies(SequenceRanges([2...3]))
    let binary: [(SyncFuzz.Form, [UInt8])] = [
      (.chunk, chunk.encoded), (.edits, chunk.payload), (.envelope, envelope.bytes),
      (.envelope, envelope.withoutBody.bytes), (.memberRecord, record.bytes), (.batch, StoreMessage.batch(objects)),
      (.results, StoreMessage.results([.stored, .unchanged, .conflict(existing: [9])])),
      (.objects, StoreMessage.objects(StoreObjects(objects: stored, isWhole: false))),
      (.logState, LogState(of: log, unopened: [7]).bytes),
    ]
    let texts: [(SyncFuzz.Form, String)] = [
      (.route, StoreRoute.listing(SyncFuzz.log, after: 3, limit: 9).path), (.route, StoreRoute.batch(space).path),
      (.lines, StoreLines.text(listing: listing)), (.lines, StoreLines.text(logs: [SyncFuzz.log])),
      (.lines, StoreLines.text(spaces: [space])), (.invitation, Invitation(to: space, inviter: keys.id).text),
      (.words, RecoveryWords.words(recovery).joined(separator: " ")), (.ranges, "1-3,7-7"),
    ]
    return binary + texts.map { ($0, Array($1.utf8)) } + (try columns())
  }

  /// Columns as they are before they are compressed.
  private static func columns() throws -> [(SyncFuzz.Form, [UInt8])] {
    let id = "00000001-aaaa-8bbb-9ccc-ddddeeeeffff"
    let session = SessionDescription(
      id: id, strap: StrapIdentity(address: BluetoothAddress(value: 1, kind: .public)), origin: .live, person: "anna",
      label: nil, deviceID: "here", start: WallTime(microseconds: 5), monotonicStart: MonotonicTime(microseconds: 5))
    let entries = (0..<3).map { (place: Int64) in
      LedgerEntry(
        sequence: place, link: 0, monotonic: MonotonicTime(microseconds: 5 + place),
        wall: WallTime(microseconds: 5 + place), content: .notification([0x10, 60, 0, 4]))
    }
    let ledger = LedgerChunk(
      session: session, links: [StrapLink(number: 0, bootID: "b", handle: 16, handleSource: .discovered)],
      entries: entries, isOver: true)
    let level = StressMeasurement(
      timestamp: Date(timeIntervalSince1970: 5), stressLevel: 40, hrv: 50, restingHeartRate: 60, deviceID: "here")
    let night = NightChunk(
      session: id, night: SleepSession(session: id, origin: .page, lightsOff: MonotonicTime(microseconds: 5)),
      movement: [MovementEpoch(time: MonotonicTime(microseconds: 5), intensity: 3, coverage: 1)])
    return [
      (.ledger, try expanded(LedgerChunkCodec.encode(ledger))),
      (.measurements, try expanded(MeasurementChunkCodec.encode(MeasurementChunk(levels: [level])))),
      (.night, try expanded(NightChunkCodec.encode(night))),
    ]
  }

  private static func expanded(_ bytes: [UInt8]) throws -> [UInt8] {
    try Deflate.expanded(bytes, limit: 1 << 20, field: "seed")
  }

  private static func edits(by station: StationID) -> EditChunk {
    let time = HybridTime(wall: WallTime(microseconds: 5), counter: 1, station: station)
    let target = EditTarget(kind: .session, id: "s")
    return EditChunk(
      edits: [
        Edit(target: target, change: .set(.name, "night"), time: time),
        Edit(target: target, change: .set(.note, nil), time: time), Edit(target: target, change: .delete, time: time),
      ], deletedBodies: SequenceRanges([2...5]))
  }
}
