/// A token with the use of its space.
package struct SyncTokenUse: Hashable, Sendable {
  package let token: SyncToken
  /// The bytes that its space has, of all tokens; 0 if the token is bound to none.
  package let byteCount: Int64

  package init(token: SyncToken, byteCount: Int64) {
    (self.token, self.byteCount) = (token, byteCount)
  }
}
