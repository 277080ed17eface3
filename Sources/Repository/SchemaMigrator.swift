import GRDB

/// Applies the migrations of the schema, and refuses databases of other programs.
enum SchemaMigrator {
  /// `TACH`, stored in the header of each database of this program (`PRAGMA application_id`; shown by file(1)).
  static let applicationID: Int64 = 0x5441_4348

  /// The migrations, the oldest first. A released migration is never changed; changes are appended as new migrations.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1 sessions, ledger, derived values, stress") { db in
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
      try db.execute(sql: SchemaV1.sessions)
      try db.execute(sql: SchemaV1.derived)
      try db.execute(sql: SchemaV1.stress)
    }
    migrator.registerMigration("v2 known straps, labels") { db in
      try db.execute(sql: SchemaV2.straps)
    }
    migrator.registerMigration("v3 artifacts") { db in
      try db.execute(sql: SchemaV3.artifacts)
    }
    migrator.registerMigration("v4 wearers, roll-ups") { db in
      try db.execute(sql: SchemaV4.station)
    }
    migrator.registerMigration("v5 imports") { db in
      try db.execute(sql: SchemaV5.imports)
    }
    migrator.registerMigration("v6 ledgers alone") { db in
      try db.execute(sql: SchemaV6.pendingDerivations)
    }
    migrator.registerMigration("v7 devices") { db in
      try db.execute(sql: SchemaV7.devices)
    }
    migrator.registerMigration("v8 notes, markers, readings") { db in
      try db.execute(sql: SchemaV8.annotations)
      try db.execute(sql: SchemaV8.readings)
    }
    return migrator
  }()

  /// Refuses a database of another program, or of a newer version of this one. Writes nothing. Must run in a transaction.
  static func validate(_ db: Database, path: String) throws {
    let found = try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    if found != applicationID {
      // A new file, or one whose creation was interrupted before the first migration.
      let others = try Int64.fetchOne(
        db,
        sql: "SELECT count(*) FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*' AND tbl_name <> 'grdb_migrations'",
      )
      guard found == 0, others == 0 else { throw RepositoryError.otherDatabase(path: path) }
    }
    let unknown = try migrator.appliedIdentifiers(db).subtracting(migrator.migrations)
    guard unknown.isEmpty else { throw RepositoryError.newerSchema(path: path, migrations: unknown.sorted()) }
  }

  /// Returns the differences between the schema and that of the applied migrations, a line each. Additional indexes, tables and
  /// views are allowed; a trigger is not, because it could change stored data. Must run in a transaction.
  static func findings(_ db: Database) throws -> [String] {
    let applied = try migrator.appliedIdentifiers(db)
    let names = migrator.migrations.prefix { applied.contains($0) }
    guard let last = names.last, names.count == applied.count else {
      return ["of the changes of the schema some are missing that others need"]
    }
    let model = try DatabaseQueue()
    try migrator.migrate(model, upTo: last)
    let (expected, found) = (try model.read(entries), try entries(db))
    let lacking = expected.keys.sorted().compactMap { name in
      guard let text = found[name] else { return "\(name) is missing" }
      return text == expected[name] ? nil : "\(name) is another one than tachogram makes"
    }
    let added = found.keys.sorted().filter { $0.hasPrefix("trigger ") && expected[$0] == nil }
    return lacking + added.map { "\($0) is not of tachogram" }
  }

  /// Returns the definition of each entry of the schema by type and name, without parts that versions of SQLite write
  /// differently.
  private static func entries(_ db: Database) throws -> [String: String] {
    let rows = try Row.fetchAll(
      db,
      sql: "SELECT type || ' ' || name, sql FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*' AND sql IS NOT NULL")
    return try rows.reduce(into: [:]) { entries, row in
      let reader = RowReader(row: row)
      entries[try reader.text(0)] = try reader.text(1).filter { !$0.isWhitespace && $0 != "\"" }
    }
  }

  /// Returns the number of applied migrations.
  static func appliedCount(_ db: Database) throws -> Int {
    try migrator.appliedIdentifiers(db).count
  }

  /// Returns whether all migrations are applied.
  static func isUpToDate(_ db: Database) throws -> Bool {
    try migrator.hasCompletedMigrations(db)
  }
}
