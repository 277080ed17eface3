import TachogramCore

/// The position in the ledger of a notification, or of the end of a link, without the bytes.
package struct ReplayedArrival: Hashable, Sendable {
  /// The index of the strap in the plan.
  package let strap: Int
  /// The position within the strap's session, from 0.
  package let sequence: Int64
  /// The ordinal of the link (`StrapLink.number`).
  package let link: Int
  package let monotonic: MonotonicTime
  package let wall: WallTime
  /// The reason for the end of the link, an HCI error code or `DisconnectionCode.captureLoss`; `nil` for a notification.
  package let disconnection: UInt8?

  /// Returns the ledger entry; `value` contains the bytes of the notification.
  package func entry(_ value: Span<UInt8>) -> LedgerEntry {
    LedgerEntry(
      sequence: sequence, link: link, monotonic: monotonic, wall: wall,
      content: disconnection.map { .linkDown(reason: $0) } ?? .notification(value.copied()))
  }
}
