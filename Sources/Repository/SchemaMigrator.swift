import GRDB

/// Applies the migrations of the schema, and refuses databases of other programs.
enum SchemaMigrator {
  /// `TACH`, stored in the header of each database of this program (`PRAGMA application_id`; shown by file(1)).
  static let applicationID: Int64 = 0x5441_4348

  /// A change of the schema.
  private struct Migration {
    let name: String
    let statements: [String]

    func apply(_ db: Database) throws {
      for statement in statements { try db.execute(sql: statement) }
    }
  }

  /// The migrations, the oldest first. A released migration is never changed; changes are appended as new migrations.
  private static let migrations = [
    Migration(
      name: "v1 sessions, ledger, derived values, stress",
      statements: [
        "PRAGMA application_id = \(applicationID)", SchemaV1.sessions, SchemaV1.derived, SchemaV1.stress,
      ]),
    Migration(name: "v2 known straps, labels", statements: [SchemaV2.straps]),
    Migration(name: "v3 artifacts", statements: [SchemaV3.artifacts]),
    Migration(name: "v4 wearers, roll-ups", statements: [SchemaV4.station]),
    Migration(name: "v5 imports", statements: [SchemaV5.imports]),
    Migration(name: "v6 ledgers alone", statements: [SchemaV6.pendingDerivations]),
    Migration(name: "v7 devices", statements: [SchemaV7.devices]),
    Migration(name: "v8 notes, markers, readings", statements: [SchemaV8.annotations, SchemaV8.readings]),
    Migration(name: "v9 sensors, nights", statements: [SchemaV9.sensors, SchemaV9.nights]),
    Migration(name: "v10 pulse intervals", statements: [SchemaV10.pulseIntervals]),
    Migration(name: "v11 synchronisation", statements: [SchemaV11.state, SchemaV11.progress, SchemaV11.changes]),
    Migration(
      name: "v12 findings of synchronisation", statements: [SchemaV12.findings, SchemaV12.edits, SchemaV12.straps]),
  ]

  /// The migrations as GRDB records them in a database.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    for migration in migrations { migrator.registerMigration(migration.name, migrate: migration.apply) }
    return migrator
  }()

  /// Applies the missing migrations in one transaction: a migration that fails, or a power cut, leaves the database as it was.
  /// `DatabaseMigrator` commits each migration. Must not run in a transaction.
  static func migrate(_ db: Database) throws {
    try db.execute(sql: "PRAGMA foreign_keys = OFF")
    defer { try? db.execute(sql: "PRAGMA foreign_keys = ON") }
    try db.inTransaction(.immediate) {
      // Another process may have applied them.
      let applied = try migrator.appliedIdentifiers(db)
      try db.execute(sql: "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
      for migration in migrations where !applied.contains(migration.name) {
        try migration.apply(db)
        try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [migration.name])
      }
      try db.checkForeignKeys()
      return .commit
    }
  }

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
    let model = try model(upTo: last)
    let (expected, found) = (try model.read(entries), try entries(db))
    let lacking = expected.keys.sorted().compactMap { name in
      guard let text = found[name] else { return "\(name) is missing" }
      return text == expected[name] ? nil : "\(name) is another one than tachogram makes"
    }
    let added = found.keys.sorted().filter { $0.hasPrefix("trigger ") && expected[$0] == nil }
    return lacking + added.map { "\($0) is not of tachogram" }
  }

  /// Returns an empty database in memory with the schema of this program, or the one up to a migration.
  static func model(upTo migration: String? = nil) throws -> DatabaseQueue {
    let model = try DatabaseQueue()
    if let migration { try migrator.migrate(model, upTo: migration) } else { try migrator.migrate(model) }
    return model
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
