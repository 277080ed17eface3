import GRDB

/// The names of persons, with the keys that represent them in other tables.
struct PersonTable {
  let db: Database

  /// The rows of a table that belong to one person, or to no person.
  enum Owner {
    /// The rows with this key of a person; null stands for no person.
    case key(Int64?)
    /// A person who has no rows at all.
    case unknown
  }

  /// Returns the rows of a named person. An unknown name must not select the rows without a person.
  func owner(named name: String?) throws -> Owner {
    guard let name else { return .key(nil) }
    guard let key = try key(of: name) else { return .unknown }
    return .key(key)
  }

  /// Returns the key of a name, which is stored if it is new; null for no person.
  func storedKey(of name: String?) throws -> Int64? {
    guard let name else { return nil }
    if let key = try key(of: name) { return key }
    try db.execute(sql: "INSERT INTO person (name) VALUES (?)", arguments: [name])
    return db.lastInsertedRowID
  }

  /// Returns the names, in order.
  func names() throws -> [String] {
    try String.fetchAll(db, sql: "SELECT name FROM person ORDER BY name")
  }

  /// Deletes the name of a person of whom nothing is stored any more, such as a misspelt one.
  func deleteIfUnused(_ key: Int64) throws {
    let uses = ["session", "stress_measurement", "reading", "known_strap"].map { table in
      "EXISTS (SELECT 1 FROM \(table) WHERE person = :person)"
    }
    try db.execute(
      sql: "DELETE FROM person WHERE id = :person AND NOT (\(uses.joined(separator: " OR ")))",
      arguments: ["person": key])
  }

  private func key(of name: String) throws -> Int64? {
    try Int64.fetchOne(db.cachedStatement(sql: "SELECT id FROM person WHERE name = ?"), arguments: [name])
  }
}
