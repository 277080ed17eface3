import Foundation
import GATT
import Repository
import StressKit
import TachogramCore

extension StoredSession {
  /// Returns a copy, in memory, in which names, addresses and dates are replaced. Labels, notes and markers, which may name
  /// someone, are left out, and so is what sensors sent, whose clocks date it. Received values, intervals and metrics are unchanged.
  package func pseudonymized(by pseudonyms: Pseudonyms) throws -> StoredSession {
    let shift = pseudonyms.shift(of: description.person)
    let replaced = pseudonyms.session(description)
    let origin = description.monotonicStart
    func moved(_ time: MonotonicTime) -> MonotonicTime { MonotonicTime(microseconds: time.microseconds(since: origin)) }
    let memory = try TachogramDatabase.inMemory()
    let (copy, copiedNights) = (SessionRepository(database: memory), SleepRepository(database: memory))
    try copy.store(replaced, isComplete: record.isComplete) { append in
      var batch = SessionBatch()
      batch.links = try repository.links(of: id).map { link in
        StrapLink(
          number: link.number, bootID: link.bootID.map { pseudonyms.identifier("boot", "\(id) \($0)") },
          handle: link.handle,
          handleSource: link.handleSource)
      }
      try append(batch)
      try repository.forEachEntry(of: id, batchSize: Self.batchSize) { entries in
        batch = SessionBatch()
        batch.entries = entries.map { entry in
          LedgerEntry(
            sequence: entry.sequence, link: entry.link, monotonic: moved(entry.monotonic),
            wall: entry.wall.advanced(by: shift), content: entry.content.undated)
        }
        try append(batch)
      }
      try repository.forEachBeat(of: id, batchSize: Self.batchSize) { beats in
        batch = SessionBatch()
        batch.beats = beats.map { beat in
          var beat = beat
          beat.time = moved(beat.time)
          return beat
        }
        try append(batch)
      }
      batch = SessionBatch()
      batch.gaps = try repository.gaps(of: id).map { gap in
        var gap = gap
        (gap.start, gap.end) = (moved(gap.start), moved(gap.end))
        return gap
      }
      batch.artifacts = try repository.artifacts(of: id)
      batch.windows = try repository.windows(of: id).map { window in
        var window = window
        window.end = moved(window.end)
        return window
      }
      batch.stress = try repository.stress(of: id).map { level in
        pseudonyms.stress(level, shift: shift, session: replaced)
      }
      try append(batch)
    }
    if let nights {
      if let night = try nights.night(of: id) { try copiedNights.store(night.moved(to: replaced.id, by: moved)) }
      try copiedNights.store(
        nights.movement(of: id).map { epoch in
          var epoch = epoch
          epoch.time = moved(epoch.time)
          return epoch
        }, of: replaced.id)
    }
    return StoredSession(record: try copy.session(matching: replaced.id), repository: copy, nights: copiedNights)
  }
}

extension LedgerEntry.Content {
  /// The content without the date that a clock of the strap gave it.
  fileprivate var undated: LedgerEntry.Content {
    if case .pulseIntervals(let frame) = self { .pulseIntervals(PolarPPICodec.undated(frame)) } else { self }
  }
}

extension Pseudonyms {
  /// Returns a stress level of a session, or of none.
  func stress(_ level: StressMeasurement, shift: Duration, session: SessionDescription?) -> StressMeasurement {
    func moved(_ date: Date) -> Date { WallTime(date).advanced(by: shift).date }
    var level = level
    level.timestamp = moved(level.timestamp)
    level.modified = moved(level.modified)
    level.person = person(level.person)
    level.deviceID = session?.derivedDeviceID ?? identifier("device", level.deviceID)
    level.isSynced = false
    if let session {
      level.sessionID = session.id
      level.id = StressMeasurement.derivedID(
        session: session.id, microseconds: WallTime(level.timestamp).microseconds)
    } else {
      level.id = UUID(uuidString: identifier("stress", level.id.uuidString)) ?? UUID()
    }
    return level
  }
}
