import FoundationEssentials
import GRDB
import StressKit
import TachogramCore

/// Stores a session of another database, inside a transaction.
struct SessionCopy {
  let db: Database
  /// The path of the database, for errors.
  let path: String

  /// `time` becomes the time of modification of the stress levels that a person deleted.
  func add(_ copy: CopiedSession, at time: WallTime) throws {
    let (session, table) = (copy.description, SessionTable(db: db))
    guard try table.identifiers(prefix: session.id).isEmpty else {
      throw RepositoryError.contradiction(path: path, detail: "the session \(session.id) is stored already")
    }
    let key = try table.begin(session)
    try SessionWriter(db: db, id: session.id).write(copy.batch)
    try table.finish(session.id)
    if let note = copy.note { try SessionMerge(db: db).assign(session.id, SessionEdit(note: note)) }
    for marker in copy.markers { try MarkerTable(db: db).store(marker, session: key) }
    if let night = copy.night { try SleepRepository.store(night, db, path: path) }
    for reading in copy.readings { try ReadingRepository.insert(reading, db) }
    let person = try PersonTable(db: db).storedKey(of: session.person)
    for level in copy.deletedStress {
      try StressMeasurementTable(db: db).delete(id: level, person: person, kind: copy.kind, modified: time.date)
    }
  }
}
