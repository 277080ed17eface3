import TachogramCore

extension LedgerEntry {
  /// The notified value; `nil` for the end of a link.
  var notification: [UInt8]? {
    if case .notification(let value) = content { value } else { nil }
  }
}
