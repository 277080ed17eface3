import TachogramCore

/// What a replay says of a notification, or of the end of a link, besides the bytes: where it belongs in the ledger.
package struct ReplayedArrival: Hashable, Sendable {
  /// Index of the strap in the plan.
  package let strap: Int
  /// Position within the strap's session, from 0.
  package let sequence: Int64
  /// Ordinal of the link (`StrapLink.number`).
  package let link: Int
  package let monotonic: MonotonicTime
  package let wall: WallTime
  /// Why the link ended, an HCI error code, or `DisconnectionCode.captureLoss`; `nil` for a notification.
  package let disconnection: UInt8?

  /// The ledger entry of it; `value` are the bytes of the notification.
  package func entry(_ value: Span<UInt8>) -> LedgerEntry {
    LedgerEntry(
      sequence: sequence, link: link, monotonic: monotonic, wall: wall,
      content: disconnection.map { .linkDown(reason: $0) } ?? .notification(value.copied()))
  }
}
