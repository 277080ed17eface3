import Capture
import CommandProcess
import Foundation
import Recording
import Repository
import Sessions
import Sleep
import TachogramCore

/// A reader of files with nights of other devices and programs, which it stores: each as a session without beats.
package struct NightImporter {
  /// The size limit in bytes of tables and JSON, which are read at once.
  private static let largestText = 1 << 26

  /// The start of imported nights on the axis of their sessions.
  private static let begin = MonotonicTime(microseconds: 0)

  /// What a stored night holds, by which it is recognised. Other programs write whole seconds.
  private struct Content: Hashable {
    let startSecond: Int64
    let stages: [SleepStage]

    init(start: WallTime, stages: [SleepStage]) {
      startSecond = start.microseconds.quotientAndRemainder(dividingBy: 1_000_000).quotient
      self.stages = stages
    }
  }

  /// A session that is stored.
  private struct Known {
    let session: String
    let person: String?
  }

  private let database: TachogramDatabase
  /// The person who slept, or `nil`.
  private let person: String?
  /// The start of times in seconds, or `nil` if the files have dates.
  private let start: WallTime?
  /// The sessions of stored nights by what they hold; several if persons slept at the same time.
  private var stored: [Content: [Known]] = [:]

  /// Reads which nights are stored. Throws `RepositoryError`.
  package init(database: TachogramDatabase, person: String?, start: WallTime?) throws {
    self.database = database
    self.person = person
    self.start = start
    let sessions = try SessionRepository(database: database).sessions().map { ($0.description.id, $0.description) }
    let descriptions = Dictionary(uniqueKeysWithValues: sessions)
    for night in try SleepRepository(database: database).nights() {
      guard let session = descriptions[night.session], let staging = night.staging else { continue }
      stored[Content(start: session.wall(night.lightsOff), stages: staging.stages), default: []].append(
        Known(session: night.session, person: session.person))
    }
  }

  /// Imports a file at a path.
  package mutating func importFile(_ path: String) throws -> [ImportedNightFile] {
    try importFile(InputFile(path: path))
  }

  /// Imports a file. Throws a failure that names the place in the file, or errors of the database.
  package mutating func importFile(_ file: InputFile) throws -> [ImportedNightFile] {
    do {
      let (nights, damaged, first) = try Self.read(file, start: start)
      if let first {
        StandardStreams.error("tachogram: \(file.name): \(damaged) records were passed over, the first is \(first)")
      }
      for note in nights.compactMap(\.columnsNote) { StandardStreams.error("tachogram: \(file.name): \(note)") }
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
  ) throws -> (nights: [ImportedNight], damaged: Int, first: NightReadError?) {
    let head = try file.head(4096)
    if head.starts(with: "PK".utf8) || head.starts(with: [0x1F, 0x8B]) { throw NightReadError(.compressed) }
    let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    switch text.first(where: { !" \n\r\t".utf8.contains($0) }) {
    case UInt8(ascii: "<"):
      let reader = try AppleHealthReader(file)
      return (try reader.nights(), reader.damaged, reader.firstDamage)
    case UInt8(ascii: "{"), UInt8(ascii: "["): return (try OpenMHealthReader.nights(Data(try whole(file))), 0, nil)
    case nil: throw NightReadError(.noNight)
    default:
      if text.contains(0) { throw NightReadError(.unknownForm) }
      return ([try NightTableReader(start: start).night(try whole(file))], 0, nil)
    }
  }

  private static func whole(_ file: InputFile) throws -> [UInt8] {
    guard let bytes = try file.contents(upTo: largestText) else {
      throw NightReadError(.tooLarge(mebibytes: largestText >> 20))
    }
    return bytes
  }

  // MARK: - Storing

  /// Stores a night. One of this person, or of none, that is stored already, as another import or as the night of a recording,
  /// keeps its stages; an import of the same start with other stages gets these.
  private mutating func store(_ night: ImportedNight, of file: String) throws -> ImportedNightFile {
    let content = Content(start: night.start, stages: night.stages)
    if let known = stored[content]?.first(where: { $0.person == person || $0.person == nil || person == nil }) {
      return try report(known, as: night, of: file)
    }
    let id = night.identifier(of: person)
    let isStored = try database.storing(isStopped: { Interrupt.isRequested }) {
      try Self.store(night, id: id, person: person, in: database)
    }
    if isStored { stored = stored.mapValues { $0.filter { $0.session != id } } }
    stored[content, default: []].append(Known(session: id, person: person))
    return ImportedNightFile(file: file, night, session: id, person: person, outcome: isStored ? .changed : .new)
  }

  /// Returns the result for a night that is stored already. Without a person, it gets the one of this import.
  private mutating func report(
    _ known: Known, as night: ImportedNight, of file: String
  ) throws -> ImportedNightFile {
    let sessions = SessionRepository(database: database)
    if known.person == nil, person != nil, let record = try sessions.storedSession(known.session) {
      var description = record.description
      description.person = person
      try sessions.complete(record, from: description)
      let content = Content(start: night.start, stages: night.stages)
      stored[content]?.removeAll { $0.session == known.session }
      stored[content, default: []].append(Known(session: known.session, person: person))
    }
    return ImportedNightFile(
      file: file, night, session: known.session, person: known.person ?? person, outcome: .known)
  }

  /// Stores a night and the session that it needs. Returns whether the session was stored before.
  private static func store(
    _ night: ImportedNight, id: String, person: String?, in database: TachogramDatabase
  ) throws -> Bool {
    let sessions = SessionRepository(database: database)
    let isStored = try sessions.storedSession(id) != nil
    if !isStored {
      try sessions.store(session(night, id: id, person: person), isComplete: true) { _ in }
    }
    let end = begin.advanced(byMicroseconds: Int64(night.stages.count) * SleepAxis.microsecondsPerEpoch)
    try SleepRepository(database: database).store(
      SleepSession(
        session: id, origin: .file, lightsOff: begin, lightsOn: end,
        staging: SleepSession.Staging(
          estimator: night.form.rawValue, periods: SleepStagePeriod.periods(of: night.stages, from: begin))))
    if !isStored, let note = night.note {
      try AnnotationRepository(database: database).change(id, SessionEdit(note: .some(note)))
    }
    return isStored
  }

  private static func session(_ night: ImportedNight, id: String, person: String?) -> SessionDescription {
    SessionDescription(
      id: id, strap: StrapIdentity(address: .unknown), origin: .replay, person: person,
      label: night.source.flatMap { try? ChosenName($0).text }, madeFrom: night.form.rawValue, start: night.start,
      monotonicStart: begin)
  }
}
