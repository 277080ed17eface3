import GRDB

/// Lets this program read a database with an older schema, which is not changed: tables and columns that the database lacks are
/// added to one connection, as temporary tables that are empty and as temporary views, which take the place of the tables of
/// their name.
struct OlderSchema {
  let db: Database

  /// Adds what is missing. Must not run in a transaction.
  func complete() throws {
    try db.execute(sql: "PRAGMA temp_store = MEMORY")
    for (name, definition, columns) in try SchemaMigrator.model().read(Self.tables) {
      guard try db.tableExists(name) else {
        // SQLite stores each definition with this beginning.
        try db.execute(sql: "CREATE TEMPORARY TABLE" + definition.dropFirst("CREATE TABLE".count))
        continue
      }
      let stored = Set(try db.columns(in: name).map(\.name))
      let missing = columns.filter { !stored.contains($0.name) }
      guard !missing.isEmpty else { continue }
      let values = missing.map { "\($0.defaultValueSQL ?? "NULL") AS \($0.name.quotedDatabaseIdentifier)" }
      let table = name.quotedDatabaseIdentifier
      try db.execute(
        sql: "CREATE TEMPORARY VIEW \(table) AS SELECT *, \(values.joined(separator: ", ")) FROM main.\(table)")
    }
  }

  private static func tables(_ db: Database) throws -> [(name: String, definition: String, columns: [ColumnInfo])] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT name, sql FROM sqlite_schema
        WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name <> 'grdb_migrations'
        """)
    return try rows.map { row in
      let reader = RowReader(row: row)
      let name = try reader.text(0)
      return (name, try reader.text(1), try db.columns(in: name))
    }
  }
}
