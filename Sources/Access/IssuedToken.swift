/// A new token with its secret, which is stored nowhere.
package struct IssuedToken: Hashable, Sendable {
  package let secret: String
  package let record: TokenRecord

  package init(secret: String, record: TokenRecord) {
    self.secret = secret
    self.record = record
  }
}
