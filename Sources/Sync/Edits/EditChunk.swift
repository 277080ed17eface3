/// The content of a chunk of edits: what was entered at its author, and the bodies that the author deleted from its log.
package struct EditChunk: Hashable, Sendable {
  /// The edits. The station of their times is the author.
  package var edits: [Edit]
  /// The places of the author's log whose bodies it deleted. Any other body that is absent was not deleted by the author.
  package var deletedBodies: SequenceRanges

  /// Whether the chunk only states the heads that its author has seen, so that others may release what they keep for it.
  package var isAcknowledgement: Bool { edits.isEmpty && deletedBodies.isEmpty }

  package init(edits: [Edit] = [], deletedBodies: SequenceRanges = SequenceRanges()) {
    self.edits = edits
    self.deletedBodies = deletedBodies
  }
}
