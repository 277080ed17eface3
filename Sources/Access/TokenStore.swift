import FileSystem
import TachogramCore

/// The named tokens, in the folder `access/tokens` beside the database.
package struct TokenStore: Sendable {
  private struct Content: Codable {
    let name: String
    let scope: TokenScope
    /// RFC 3339.
    let created: String
  }

  /// The maximum number of tokens.
  package static let most = 100
  /// The precision of the last use, which is written to the disk.
  private static let lastUsePrecision: Duration = .seconds(3600)

  private let files: SecretFiles<Content>
  /// Beside the folder of tokens, which may not exist yet.
  private let lockedPath: String

  /// Creates the store beside `database`.
  package init(database: String) {
    files = SecretFiles(folder: AccessFolder.path(beside: database, "access/tokens"))
    lockedPath = AccessFolder.path(beside: database, "access")
  }

  /// Returns the token with a secret, or `nil` if there is none. `now` is stored as its last use.
  package func find(_ secret: String, at now: WallTime) throws(AccessFailure) -> TokenRecord? {
    guard let found = try files.find(secret) else { return nil }
    let isRecent = found.lastUse.map { now.duration(since: $0).magnitude < Self.lastUsePrecision } ?? false
    if !isRecent { files.setLastUse(found.id, now) }
    return Self.record(found)
  }

  /// Returns all tokens by name.
  package func tokens() throws(AccessFailure) -> [TokenRecord] {
    try files.all().map(Self.record).sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  /// Creates a token with a name that no other token has.
  package func add(_ name: ChosenName, _ scope: TokenScope, at now: WallTime) throws(AccessFailure) -> IssuedToken {
    let lock = FolderLock(of: lockedPath)
    defer { withExtendedLifetime(lock) {} }
    let known = try tokens()
    guard known.count < Self.most else { throw .tooMany(limit: Self.most) }
    guard !known.contains(where: { $0.name == name.text }) else { throw .nameTaken(name.text) }
    return try issue(name.text, scope, now)
  }

  /// Creates a token. If the name is taken, a number is appended to it.
  package func addNumbered(
    _ name: ChosenName, _ scope: TokenScope, at now: WallTime
  ) throws(AccessFailure) -> IssuedToken {
    let lock = FolderLock(of: lockedPath)
    defer { withExtendedLifetime(lock) {} }
    let known = Set(try tokens().map(\.name))
    guard known.count < Self.most else { throw .tooMany(limit: Self.most) }
    guard known.contains(name.text) else { return try issue(name.text, scope, now) }
    let base = String(String.UnicodeScalarView(name.text.unicodeScalars.prefix(ChosenName.longest - 4)))
    let free = (2...Self.most + 1).lazy.map { "\(base) \($0)" }.first { !known.contains($0) }
    return try issue(free ?? name.text, scope, now)
  }

  /// Removes a token, which is invalid from now on. Returns whether there was one.
  package func revoke(_ id: String) throws(AccessFailure) -> Bool { try files.remove(id) }

  /// Removes all tokens.
  package func revokeAll() throws(AccessFailure) { try files.removeAll() }

  private func issue(_ name: String, _ scope: TokenScope, _ now: WallTime) throws(AccessFailure) -> IssuedToken {
    let secret = Secret.make()
    let id = try files.add(secret, Content(name: name, scope: scope, created: Timestamp.text(now)))
    return IssuedToken(
      secret: secret, record: TokenRecord(id: id, name: name, scope: scope, created: now, lastUse: nil))
  }

  private static func record(_ found: SecretFiles<Content>.Found) -> TokenRecord {
    TokenRecord(
      id: found.id, name: found.content.name, scope: found.content.scope,
      created: Timestamp.time(found.content.created), lastUse: found.lastUse)
  }
}
