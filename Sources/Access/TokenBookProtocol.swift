import TachogramCore

/// The tokens that the page accepts.
package protocol TokenBookProtocol: Sendable {
  /// Returns the token with a secret, or `nil` if there is none.
  func token(_ secret: String) throws -> TokenRecord?
  /// Whether a secret is still that of a token that it was.
  func isValid(_ token: TokenRecord, _ secret: String) throws -> Bool
  /// Exchanges a login code, which becomes invalid, for a new token. Returns `nil` if the code is not valid. If it throws, the code
  /// stays valid.
  func redeem(_ code: String, name: ChosenName) throws -> IssuedToken?
  func tokens() throws -> [TokenRecord]
  /// Creates a token. Throws `AccessFailure.nameTaken`.
  func add(_ name: ChosenName, _ scope: TokenScope) throws -> IssuedToken
  /// Makes a token invalid. Returns whether there was one.
  func revoke(_ id: String) throws -> Bool
}
