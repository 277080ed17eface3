import GRDB

/// Knows the versions of the schema, brings a database up to date and refuses one that is not ours.
enum SchemaMigrator {
  /// `TACH`, in the header of every database of this program (`PRAGMA application_id`; file(1) shows it).
  static let applicationID: Int64 = 0x5441_4348

  /// The migrations, the oldest first. One that was released is never changed: a change is a new one at the end.
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
      try db.execute(sql: SchemaV6.owed)
    }
    return migrator
  }()

  /// Refuses a database that another program, or a newer version of this one, made. Writes nothing. Runs in a
  /// transaction.
  static func validate(_ db: Database, path: String) throws {
    let found = try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    if found != applicationID {
      // A new file, or one whose making was cut off before the first migration.
      let others = try Int64.fetchOne(
        db,
        sql: "SELECT count(*) FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*' AND tbl_name <> 'grdb_migrations'",
      )
      guard found == 0, others == 0 else { throw RepositoryError.otherDatabase(path: path) }
    }
    let unknown = try migrator.appliedIdentifiers(db).subtracting(migrator.migrations)
    guard unknown.isEmpty else { throw RepositoryError.newerSchema(path: path, migrations: unknown.sorted()) }
  }

  /// How many migrations were applied.
  static func appliedCount(_ db: Database) throws -> Int {
    try migrator.appliedIdentifiers(db).count
  }

  /// Whether every migration was applied.
  static func isUpToDate(_ db: Database) throws -> Bool {
    try migrator.hasCompletedMigrations(db)
  }
}
