import TachogramCore

/// A token without its secret.
package struct TokenRecord: Hashable, Sendable {
  /// The first 16 hexadecimal digits of the secret's SHA-256 digest, or `stationID`.
  package let id: String
  package let name: String
  package let scope: TokenScope
  /// The time at which it was created, or `nil` for the station's own token.
  package let created: WallTime?
  /// The time of the last use, to the hour, or `nil` if it was never used.
  package let lastUse: WallTime?

  /// The identifier of the token that `tachogram token` shows.
  package static let stationID = "station"

  package init(id: String, name: String, scope: TokenScope, created: WallTime?, lastUse: WallTime?) {
    self.id = id
    self.name = name
    self.scope = scope
    self.created = created
    self.lastUse = lastUse
  }
}
