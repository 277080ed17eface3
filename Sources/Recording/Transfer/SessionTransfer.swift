import Repository
import StressKit
import TachogramCore

/// Copies sessions of a database to another one that lacks them, or has fewer of their entries: the ledger, the note and the
/// markers. The other rows are derived again.
package struct SessionTransfer {
  private let source: TachogramDatabase
  private let target: TachogramDatabase
  /// The metric that stands for HRV in the stress of sessions that have none.
  private let kind: HRVKind

  package init(from source: TachogramDatabase, to target: TachogramDatabase, kind: HRVKind) {
    self.source = source
    self.target = target
    self.kind = kind
  }

  /// Returns the sessions that the target lacks or has fewer entries of, the oldest first.
  package func missing() throws(RepositoryError) -> [SessionRecord] {
    let stored = try SessionRepository(database: target).sessions()
    let counts = Dictionary(uniqueKeysWithValues: stored.map { ($0.description.id, $0.entryCount) })
    return try SessionRepository(database: source).sessions().reversed().filter { record in
      counts[record.description.id].map { $0 < record.entryCount } ?? true
    }
  }

  /// Copies a session. If it is interrupted, `missing` returns the session again, which must not be continued before it is complete.
  /// A session whose recording did not end in order can be continued afterwards. Without `derives`, its rows are pending.
  package func copy(_ record: SessionRecord, derives: Bool = true) throws {
    let (from, to) = (SessionRepository(database: source), SessionRepository(database: target))
    let id = record.description.id
    var links = SessionBatch()
    links.links = try from.links(of: id)
    let derivation = SessionPiece.Derivation.pending(try from.kind(of: id) ?? kind)
    let refusals = try to.store([SessionPiece(.beginning(record.description), links, derivation: derivation)])
    for case let refusal? in refusals { throw refusal }
    // Before the entries, by which `missing` finds a session that was interrupted.
    let annotations = AnnotationRepository(database: target)
    if let note = record.note { try annotations.change(id, SessionEdit(note: note)) }
    try annotations.add(try from.markers(of: id), to: id)
    try copyMeasurements(of: id)
    try from.forEachEntry(of: id) { entries in
      var batch = SessionBatch()
      batch.entries = entries
      try to.append(batch, to: id)
    }
    if derives {
      try PendingDerivations.derive(id, isOver: record.isComplete, in: target)
    } else if record.isComplete {
      try to.finish(id)
    }
  }

  /// Copies what a session has beside its heart rate, and its night.
  private func copyMeasurements(of id: String) throws {
    let (from, to) = (SensorRepository(database: source), SensorRepository(database: target))
    let stored = try to.nextSequence(of: id)
    try from.forEachEntry(of: id) { entries in try to.append(entries.filter { $0.sequence >= stored }, to: id) }
    let (nights, other) = (SleepRepository(database: source), SleepRepository(database: target))
    try other.store(try nights.movement(of: id), of: id)
    if let night = try nights.night(of: id), try other.night(of: id) == nil { try other.store(night) }
  }
}
