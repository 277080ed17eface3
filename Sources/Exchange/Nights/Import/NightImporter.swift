import Capture
import CommandProcess
import Foundation
import Recording
import Repository
import Sleep
import TachogramCore

/// A reader of files with nights of other devices and programs, which it stores: each as a session without beats.
package struct NightImporter {
  /// The size limit in bytes of tables and JSON, which are read at once.
  private static let largestText = 1 << 26

  /// Where a stored night begins, and its stages.
  private struct Content: Hashable {
    let start: WallTime
    let stages: [SleepStage]
  }

  private let database: TachogramDatabase
  /// The person who slept, or `nil`.
  private let person: String?
  /// The start of times in seconds, or `nil` if the files have dates.
  private let start: WallTime?
  /// The sessions of stored nights by what they hold.
  private var stored: [Content: String] = [:]

  /// Reads which nights are stored. Throws `RepositoryError`.
  package init(database: TachogramDatabase, person: String?, start: WallTime?) throws {
    self.database = database
    self.person = person
    self.start = start
    let sessions = try SessionRepository(database: database).sessions().map { ($0.description.id, $0.description) }
    let descriptions = Dictionary(uniqueKeysWithValues: sessions)
    for night in try SleepRepository(database: database).nights() {
      guard let session = descriptions[night.session], let staging = night.staging else { continue }
      stored[Content(start: session.wall(night.lightsOff), stages: staging.stages)] = night.session
    }
  }

  /// Imports a file. Throws a failure that names the place in the file, or errors of the database.
  package mutating func importFile(_ file: InputFile) throws -> [ImportedNightFile] {
    do {
      var (nights, damage) = try Self.read(file, start: start)
      for night in nights where !RecordingDates.range.contains(night.start) {
        damage = NightReadError(.date, at: .field(Timestamp.text(night.start)))
      }
      if let damage {
        StandardStreams.error("tachogram: \(file.name): some records were passed over, the first at \(damage)")
      }
      nights.removeAll { !RecordingDates.range.contains($0.start) }
      var imported: [ImportedNightFile] = []
      for night in nights {
        if Interrupt.isRequested { throw CommandFailure("stopped by the user", code: .interrupted) }
        imported.append(try store(night, of: file.name))
      }
      return imported
    } catch let error as NightReadError {
      throw CommandFailure("\(file.name): \(error)", code: .badInput)
    }
  }

  private static func read(
    _ file: InputFile, start: WallTime?
  ) throws -> (nights: [ImportedNight], damage: NightReadError?) {
    let head = try file.head(4096)
    if head.starts(with: "PK".utf8) || head.starts(with: [0x1F, 0x8B]) { throw NightReadError(.compressed) }
    let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    switch text.first(where: { !" \n\r\t".utf8.contains($0) }) {
    case UInt8(ascii: "<"):
      let reader = try AppleHealthReader(file)
      return (try reader.nights(), reader.firstDamage)
    case UInt8(ascii: "{"), UInt8(ascii: "["): return (try OpenMHealthReader.nights(Data(try whole(file))), nil)
    case nil: throw NightReadError(.noNight)
    default:
      if text.contains(0) { throw NightReadError(.unknownForm) }
      return ([try NightTableReader(start: start).night(try whole(file))], nil)
    }
  }

  private static func whole(_ file: InputFile) throws -> [UInt8] {
    guard let bytes = try file.contents(upTo: largestText) else {
      throw NightReadError(.tooLarge(mebibytes: largestText >> 20))
    }
    return bytes
  }

  // MARK: - Storing

  /// Stores a night. One that is stored already, as another import or as the night of a recording, is not changed; an import of
  /// the same start with other stages gets these.
  private mutating func store(_ night: ImportedNight, of file: String) throws -> ImportedNightFile {
    let content = Content(start: night.start, stages: night.stages)
    if let session = stored[content] {
      return ImportedNightFile(file: file, night, session: session, person: person, outcome: .known)
    }
    let id = night.identifier
    let isStored = try database.storing(isStopped: { Interrupt.isRequested }) {
      try Self.store(night, id: id, person: person, in: database)
    }
    stored = stored.filter { $0.value != id }
    stored[content] = id
    return ImportedNightFile(file: file, night, session: id, person: person, outcome: isStored ? .changed : .new)
  }

  /// Stores a night and the session that it needs. Returns whether the session was stored before.
  private static func store(
    _ night: ImportedNight, id: String, person: String?, in database: TachogramDatabase
  ) throws -> Bool {
    let sessions = SessionRepository(database: database)
    let isStored = try sessions.storedSession(id) != nil
    let begin = MonotonicTime(microseconds: 0)
    if !isStored {
      let label = night.source.flatMap { try? ChosenName($0).text }
      try sessions.store(
        SessionDescription(
          id: id, strap: StrapIdentity(address: .unknown), origin: .replay, person: person, label: label,
          madeFrom: night.form.rawValue, start: night.start, monotonicStart: begin), isComplete: true
      ) { _ in }
    }
    let end = begin.advanced(byMicroseconds: Int64(night.stages.count) * SleepAxis.microsecondsPerEpoch)
    try SleepRepository(database: database).store(
      SleepSession(
        session: id, origin: .file, lightsOff: begin, lightsOn: end,
        staging: SleepSession.Staging(estimator: night.form.rawValue, periods: periods(night.stages, from: begin))))
    if !isStored, let note = night.note {
      try AnnotationRepository(database: database).change(id, SessionEdit(note: .some(note)))
    }
    return isStored
  }

  private static func periods(_ stages: [SleepStage], from begin: MonotonicTime) -> [SleepStagePeriod] {
    var periods: [SleepStagePeriod] = []
    for (place, stage) in stages.enumerated() {
      let start = begin.advanced(byMicroseconds: Int64(place) * SleepAxis.microsecondsPerEpoch)
      let end = start.advanced(byMicroseconds: SleepAxis.microsecondsPerEpoch)
      if periods.last?.stage == stage {
        periods[periods.count - 1].end = end
      } else {
        periods.append(SleepStagePeriod(start: start, end: end, stage: stage))
      }
    }
    return periods
  }
}
