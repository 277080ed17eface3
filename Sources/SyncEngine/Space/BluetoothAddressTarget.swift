import TachogramCore

extension BluetoothAddress {
  /// The identifier of a strap as a target of edits: the address, a slash and the kind.
  var targetID: String { "\(description)/\(kind.rawValue)" }

  /// Creates the address of a strap from its identifier as a target. Returns `nil` for any other text.
  init?(targetID: String) {
    let parts = targetID.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = UInt8(parts[1]), let kind = BluetoothAddress.Kind(rawValue: number) else {
      return nil
    }
    self.init(text: String(parts[0]), kind: kind)
  }
}
