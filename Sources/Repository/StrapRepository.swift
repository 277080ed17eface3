import GRDB
import TachogramCore

/// The paired straps.
package struct StrapRepository: Sendable {
  private let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  /// Returns the known straps in a copy of a database, or in a database of any version.
  package static func straps(ofCopy path: String) throws(RepositoryError) -> [KnownStrap] {
    let copy = try TachogramDatabase.openSessions(ofCopy: path)
    defer { try? copy.close() }
    return try StrapRepository(database: copy).straps()
  }

  /// Returns the known straps, the oldest first.
  package func straps() throws(RepositoryError) -> [KnownStrap] {
    try database.read(Self.fetch)
  }

  /// Stores a strap, or new facts about a known one. A number is appended to a name that another strap has.
  ///
  /// - Returns: The strap as it was stored.
  @discardableResult
  package func remember(_ strap: KnownStrap) throws(RepositoryError) -> KnownStrap {
    try database.write { db in
      var strap = strap
      let key = try SessionTable(db: db).storedKey(of: strap.address)
      let others = try Self.fetch(db).filter { $0.address != strap.address }.map { $0.name.lowercased() }
      let name = strap.name
      var number = 2
      while others.contains(strap.name.lowercased()) {
        strap.name = "\(name) \(number)"
        number += 1
      }
      try db.execute(
        sql: """
          INSERT INTO known_strap (strap, name, advertised_name, is_bonded, added_us, person, label)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (strap) DO UPDATE SET
            name = excluded.name, advertised_name = excluded.advertised_name, is_bonded = excluded.is_bonded,
            person = coalesce(excluded.person, person), label = coalesce(excluded.label, label)
          """,
        arguments: [
          key, strap.name, strap.advertisedName, strap.isBonded, strap.added.microseconds,
          try PersonTable(db: db).storedKey(of: strap.person), strap.label,
        ])
      return strap
    }
  }

  /// Renames a known strap. Throws `strapNameTaken` if another strap has the name.
  package func rename(_ strap: KnownStrap, to name: String) throws(RepositoryError) {
    try database.write { db in
      guard try !Self.fetch(db).contains(where: { $0.address != strap.address && Self.same($0.name, name) }) else {
        throw RepositoryError.strapNameTaken(name: name)
      }
      try db.execute(
        sql: "UPDATE known_strap SET name = ? WHERE strap = (SELECT id FROM strap WHERE address = ? AND kind = ?)",
        arguments: [name, strap.address.description, strap.address.kind.rawValue])
    }
  }

  /// Sets the person and label of a known strap for new sessions.
  package func assign(_ strap: KnownStrap, person: String?, label: String?) throws(RepositoryError) {
    try database.write { db in
      try db.execute(
        sql: """
          UPDATE known_strap SET person = ?, label = ?
          WHERE strap = (SELECT id FROM strap WHERE address = ? AND kind = ?)
          """,
        arguments: [
          try PersonTable(db: db).storedKey(of: person), label, strap.address.description, strap.address.kind.rawValue,
        ])
    }
  }

  /// Changes the name and the person of a known strap, inside a transaction. A name that another strap has is left out, and so is
  /// a strap that is not known.
  static func change(_ address: BluetoothAddress, _ name: String?, _ person: String??, _ db: Database) throws {
    let straps = try fetch(db)
    guard straps.contains(where: { $0.address == address }) else { return }
    let known = "strap = (SELECT id FROM strap WHERE address = ? AND kind = ?)"
    let key: StatementArguments = [address.description, address.kind.rawValue]
    if let name, !straps.contains(where: { $0.address != address && same($0.name, name) }) {
      try db.execute(sql: "UPDATE known_strap SET name = ? WHERE \(known)", arguments: [name] + key)
    }
    if let person {
      let owner = try PersonTable(db: db).storedKey(of: person)
      let previous = try Int64.fetchOne(db, sql: "SELECT person FROM known_strap WHERE \(known)", arguments: key)
      try db.execute(sql: "UPDATE known_strap SET person = ? WHERE \(known)", arguments: [owner] + key)
      if let previous { try PersonTable(db: db).deleteIfUnused(previous) }
    }
  }

  /// Removes a strap from the known ones, and its address if no session has it. Its recordings are kept.
  package func forget(_ strap: KnownStrap) throws(RepositoryError) {
    try database.write { db in
      try db.execute(
        sql: "DELETE FROM known_strap WHERE strap = (SELECT id FROM strap WHERE address = ? AND kind = ?)",
        arguments: [strap.address.description, strap.address.kind.rawValue])
      try SessionTable(db: db).deleteUnusedStraps()
    }
  }

  private static func same(_ one: String, _ other: String) -> Bool {
    one.lowercased() == other.lowercased()
  }

  private static func fetch(_ db: Database) throws -> [KnownStrap] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT strap.address, strap.kind, known_strap.name, advertised_name, is_bonded, added_us, person.name, label
        FROM known_strap JOIN strap ON strap.id = known_strap.strap LEFT JOIN person ON person.id = known_strap.person
        ORDER BY added_us, known_strap.strap
        """)
    var straps: [KnownStrap] = []
    while let row = try rows.next() {
      let reader = RowReader(row: row)
      guard let kind = BluetoothAddress.Kind(rawValue: try reader.integer(1)),
        let address = BluetoothAddress(text: try reader.text(0), kind: kind)
      else { throw reader.unexpected(0) }
      straps.append(
        KnownStrap(
          address: address, name: try reader.text(2), advertisedName: reader.optionalText(3),
          isBonded: try reader.bool(4), added: WallTime(microseconds: try reader.integer(5)),
          person: reader.optionalText(6), label: reader.optionalText(7)))
    }
    return straps
  }
}
