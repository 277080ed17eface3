import TachogramCore

/// The tokens of a station, in files beside its database. They are read at each request, so that commands can add and revoke
/// tokens while the station runs.
package struct TokenBook: TokenBookProtocol {
  private let own: StationToken
  private let store: TokenStore
  private let codes: LoginCodes
  private let time: any TimeSourceProtocol

  package init(database: String, time: any TimeSourceProtocol) {
    own = StationToken(database: database)
    store = TokenStore(database: database)
    codes = LoginCodes(database: database)
    self.time = time
  }

  package func token(_ secret: String) throws -> TokenRecord? {
    if let token = try own.read(), Secret.isEqual(secret, token) { return Self.ofStation }
    return try store.find(secret, at: time.now().wall)
  }

  package func redeem(_ code: String, name: ChosenName) throws -> IssuedToken? {
    guard let scope = try codes.redeem(code, at: time.now().monotonic) else { return nil }
    return try store.addNumbered(name, scope, at: time.now().wall)
  }

  package func tokens() throws -> [TokenRecord] {
    try (own.read() == nil ? [] : [Self.ofStation]) + store.tokens()
  }

  package func add(_ name: ChosenName, _ scope: TokenScope) throws -> IssuedToken {
    try store.add(name, scope, at: time.now().wall)
  }

  /// Revoking the station's own token replaces it with a new one, which only `tachogram token` shows.
  package func revoke(_ id: String) throws -> Bool {
    guard id == TokenRecord.stationID else { return try store.revoke(id) }
    try own.make()
    return true
  }

  private static var ofStation: TokenRecord {
    TokenRecord(
      id: TokenRecord.stationID, name: "Token of the station", scope: .full, created: nil, lastUse: nil)
  }
}
