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
    // First, so that the named tokens are valid where the station's own cannot be read.
    if let token = try store.find(secret, at: time.now().wall) { return token }
    return try isOwn(secret) ? Self.ofStation : nil
  }

  package func isValid(_ token: TokenRecord, _ secret: String) throws -> Bool {
    if token.id == TokenRecord.stationID { return try isOwn(secret) }
    return try store.find(secret, at: time.now().wall)?.id == token.id
  }

  private func isOwn(_ secret: String) throws -> Bool {
    guard let token = try own.read() else { return false }
    return Secret.isEqual(secret, token)
  }

  package func redeem(_ code: String, name: ChosenName) throws -> IssuedToken? {
    try codes.redeem(code, at: time.now().monotonic) { scope throws(AccessFailure) in
      try store.addNumbered(name, scope, at: time.now().wall)
    }
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
