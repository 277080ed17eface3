import CommandProcess
import Repository
import Sessions
import TachogramCore

/// The known straps of a database, for commands.
package enum KnownStraps {
  /// Returns all known straps, or an empty array if the database does not exist.
  package static func all(_ path: String) throws -> [KnownStrap] {
    guard let database = try DatabaseOpening.openForReading(ifPresent: path) else { return [] }
    defer { try? database.close() }
    return try CommandFailure.wording { try StrapRepository(database: database).straps() }
  }

  /// Changes the strap that `word` names.
  package static func change(
    _ path: String, _ word: String, _ body: (StrapRepository, KnownStrap) throws -> Void,
  ) throws {
    guard let strap = StrapChoice(known: try all(path)).strap(named: word) else {
      throw CommandFailure("no strap \(word) is known; `tachogram straps` lists them", code: .failed)
    }
    try with(path) { try body($0, strap) }
  }

  /// Stores a strap, and creates the database if it does not exist.
  package static func remember(_ path: String, _ strap: KnownStrap) throws -> KnownStrap {
    try with(path) { try $0.remember(strap) }
  }

  private static func with<Value>(_ path: String, _ body: (StrapRepository) throws -> Value) throws -> Value {
    try CommandFailure.wording {
      let database = try DatabaseOpening.open(path)
      let repository = StrapRepository(database: database)
      let result = Result { try body(repository) }
      // A station does the same while it runs.
      try? PairedMark(database: path).set(try repository.straps())
      // The strap is stored if this does not throw.
      try database.close()
      return try result.get()
    }
  }
}
