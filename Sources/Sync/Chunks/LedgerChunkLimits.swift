/// The limits of a ledger chunk. Decoding hostile input uses at most some MiB.
package enum LedgerChunkLimits {
  /// The maximum number of entries: 18 hours of one notification a second.
  package static let entries = 65_536
  /// The maximum length of the value of an entry, in bytes: the longest attribute value (Core Specification 5.4, Vol 3, Part F,
  /// 3.2.9).
  package static let value = 512
  package static let links = 4096
  /// The maximum number of describing characteristics of a strap.
  package static let characteristics = 64
  /// The maximum length of a text of the session, in bytes.
  package static let text = 1024
  /// The maximum length of the content before compression, in bytes.
  package static let expanded = 4 << 20
}
