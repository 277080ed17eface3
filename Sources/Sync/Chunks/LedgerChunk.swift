import TachogramCore

/// A part of the ledger of one session.
package struct LedgerChunk: Hashable, Sendable {
  package var session: SessionDescription
  /// The links of the session on which the entries arrived.
  package var links: [StrapLink]
  /// The entries, usually in the order of their sequence.
  package var entries: [LedgerEntry]
  /// Whether the session ended in order with the last entry.
  package var isOver: Bool

  package init(session: SessionDescription, links: [StrapLink], entries: [LedgerEntry], isOver: Bool = false) {
    self.session = session
    self.links = links
    self.entries = entries
    self.isOver = isOver
  }
}
