/// The result of moving the head of the member records of a space.
package enum StoreHeadResult: Hashable, Sendable {
  case moved
  /// The head is another one.
  case conflict(current: ContentDigest?)
  /// The store has no head, as a folder. Concurrent changes merge.
  case notSupported
}
