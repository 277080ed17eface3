/// The codes of ended links that have a special meaning (Core Specification 5.4, Vol 1, Part F, 1.3).
package enum DisconnectionCode {
  /// Connection Terminated by Local Host: this side ended the link, and nothing was lost.
  package static let localHost: UInt8 = 0x16
  /// Not an HCI error code: the link stayed up, and the capture indicates that packets may have been dropped. A ledger entry
  /// with this code represents a loss, not the end of a link.
  package static let captureLoss: UInt8 = 0xFE
}
