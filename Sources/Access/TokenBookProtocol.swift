import TachogramCore

/// The tokens that the page accepts.
package protocol TokenBookProtocol: Sendable {
  /// Returns the token with a secret, or `nil` if there is none.
  func token(_ secret: String) throws -> TokenRecord?
  /// Exchanges a login code, which becomes invalid, for a new token. Returns `nil` if the code is not valid.
  func redeem(_ code: String, name: ChosenName) throws -> IssuedToken?
  func tokens() throws -> [TokenRecord]
  /// Creates a token. Throws `AccessFailure.nameTaken`.
  func add(_ name: ChosenName, _ scope: TokenScope) throws -> IssuedToken
  /// Makes a token invalid. Returns whether there was one.
  func revoke(_ id: String) throws -> Bool
}
