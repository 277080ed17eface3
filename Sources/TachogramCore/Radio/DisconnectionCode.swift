/// The HCI error codes of ended links that mean more than that (Core Specification 5.4, Vol 1, Part F, 1.3).
package enum DisconnectionCode {
  /// Connection Terminated by Local Host: this side ended the link, and nothing was lost.
  package static let localHost: UInt8 = 0x16
  /// No HCI error code: the link stayed up, and the capture says that packets of it may have been dropped. The entry of a
  /// ledger that has it stands for a loss, not for the end of a link.
  package static let captureLoss: UInt8 = 0xFE
}
