/// What a member of a space may do.
package enum MemberRole: UInt8, Hashable, Sendable, CaseIterable {
  /// Holds the private keys of the epochs: it reads everything and may change the membership.
  case reader = 1
  /// Holds only public keys: it adds chunks and cannot read those of others.
  case sensor = 2
  /// The recovery key, which is offline. It has the rights of a reader and cannot be removed by others.
  case recovery = 3

  /// Whether the member holds the private keys of the epochs.
  package var canRead: Bool { self != .sensor }
}
