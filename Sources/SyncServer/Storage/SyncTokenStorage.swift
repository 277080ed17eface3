import Sync

/// The tokens of the clients of a sync server. Programs that add and revoke them share the database with the server.
package struct SyncTokenStorage: Sendable {
  private static let columns = "token.name, token.digest, token.quota, token.created, token.space"

  private let database: any SyncDatabaseProtocol

  package init(_ database: any SyncDatabaseProtocol) {
    self.database = database
  }

  /// Returns the token with a digest, or `nil` if there is none.
  package func token(_ digest: ContentDigest) async throws(SyncStorageFailure) -> SyncToken? {
    try await database.read { sql in
      try sql.rows("SELECT \(Self.columns) FROM token WHERE digest = $1", [.bytes(digest.bytes)]).first
        .flatMap(Self.token)
    }
  }

  /// Binds a token to a space unless it is bound already. Returns its space, or `nil` if the token is gone.
  func bind(_ token: ContentDigest, to space: SpaceID) async throws(SyncStorageFailure) -> SpaceID? {
    try await database.write { sql in
      try sql.run(
        "UPDATE token SET space = $1 WHERE digest = $2 AND space IS NULL",
        [.bytes(space.digest.bytes), .bytes(token.bytes)])
      let rows = try sql.rows("SELECT space FROM token WHERE digest = $1", [.bytes(token.bytes)])
      return Self.space(rows.first?[0])
    }
  }

  /// Adds a token. Throws `nameTaken` if there is another one with its name.
  package func add(_ token: SyncToken) async throws(SyncStorageFailure) {
    let isAdded = try await database.write { sql in
      try sql.run(
        "INSERT INTO token (digest, name, quota, created, space) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
        [
          .bytes(token.digest.bytes), .text(token.name), token.quota.map { .integer($0) } ?? .null,
          .integer(token.created), token.space.map { .bytes($0.digest.bytes) } ?? .null,
        ]) > 0
    }
    guard isAdded else { throw .nameTaken }
  }

  /// Deletes a token. Returns whether there was one.
  package func revoke(name: String) async throws(SyncStorageFailure) -> Bool {
    try await database.write { sql in try sql.run("DELETE FROM token WHERE name = $1", [.text(name)]) > 0 }
  }

  /// Returns all tokens by their names.
  package func tokens() async throws(SyncStorageFailure) -> [SyncTokenUse] {
    try await database.read { sql in
      let text = """
        SELECT \(Self.columns), COALESCE(space.bytes, 0) FROM token LEFT JOIN space ON space.digest = token.space
        ORDER BY token.name
        """
      return try sql.rows(text, []).compactMap { row in
        Self.token(row).map { SyncTokenUse(token: $0, byteCount: row[5].integer ?? 0) }
      }
    }
  }

  private static func token(_ row: [SyncSQLValue]) -> SyncToken? {
    guard let name = row[0].text, let digest = row[1].bytes.flatMap({ ContentDigest(bytes: $0) }),
      let created = row[3].integer
    else { return nil }
    return SyncToken(name: name, digest: digest, quota: row[2].integer, created: created, space: space(row[4]))
  }

  private static func space(_ value: SyncSQLValue?) -> SpaceID? {
    value?.bytes.flatMap { ContentDigest(bytes: $0) }.map { SpaceID(digest: $0) }
  }
}
