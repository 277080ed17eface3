/// A former member. Its chunks up to its removal remain valid.
package struct RemovedMember: Hashable, Sendable {
  package let member: Member
  /// The sequence of its last chunk that remains valid.
  package let lastSequence: UInt64
}
