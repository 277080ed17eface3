import GRDB

/// The names of the people, and the keys that stand for them elsewhere.
struct PersonTable {
  let db: Database

  /// Which rows of a table belong to somebody: those of one person, or those of no person.
  enum Owner {
    /// The rows whose person is this key, null standing for no person.
    case key(Int64?)
    /// A person who has no rows at all.
    case unknown
  }

  /// Whose rows a name stands for. A name that is not stored must not fall back to the rows of nobody.
  func owner(named name: String?) throws -> Owner {
    guard let name else { return .key(nil) }
    guard let key = try key(of: name) else { return .unknown }
    return .key(key)
  }

  /// The key of a name, which is stored when it is new; null for nobody.
  func storedKey(of name: String?) throws -> Int64? {
    guard let name else { return nil }
    if let key = try key(of: name) { return key }
    try db.execute(sql: "INSERT INTO person (name) VALUES (?)", arguments: [name])
    return db.lastInsertedRowID
  }

  /// The names, in order.
  func names() throws -> [String] {
    try String.fetchAll(db, sql: "SELECT name FROM person ORDER BY name")
  }

  private func key(of name: String) throws -> Int64? {
    try Int64.fetchOne(db.cachedStatement(sql: "SELECT id FROM person WHERE name = ?"), arguments: [name])
  }
}
