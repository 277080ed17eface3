import Sync

/// What is stored of a token of a client.
package struct SyncToken: Hashable, Sendable {
  package let name: String
  /// The SHA-256 digest of the secret.
  package let digest: ContentDigest
  /// The number of bytes that its space may have for it to put more, or `nil` for any.
  package let quota: Int64?
  /// When it was made, in seconds since 1970.
  package let created: Int64
  /// The space to which the token is bound, or `nil` if it has not been used.
  package let space: SpaceID?

  package init(name: String, digest: ContentDigest, quota: Int64?, created: Int64, space: SpaceID? = nil) {
    (self.name, self.digest, self.quota) = (name, digest, quota)
    (self.created, self.space) = (created, space)
  }
}
