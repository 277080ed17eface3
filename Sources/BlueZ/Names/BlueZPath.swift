import TachogramCore

/// The daemon's object paths: `/org/bluez/hci0/dev_C8_DE_AD_BE_EF_01/service0010/char0011`.
package struct BlueZPath: Hashable, Sendable {
  /// The name of the adapter, such as `hci0`. It may change when adapters are added or removed.
  package var adapter: String
  /// The address of the strap. The path does not contain whether the address is public or random.
  package var device: UInt64?
  package var service: UInt16?
  package var characteristic: UInt16?

  private static let root = "/org/bluez/"

  package init(adapter: String, device: UInt64? = nil, service: UInt16? = nil, characteristic: UInt16? = nil) {
    self.adapter = adapter
    self.device = device
    self.service = service
    self.characteristic = characteristic
  }

  /// Parses a path. Returns `nil` for other paths, including those of descriptors.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.root) else { return nil }
    let parts = text.dropFirst(Self.root.count).split(separator: "/", omittingEmptySubsequences: false)
    guard (1...4).contains(parts.count), parts[0].hasPrefix("hci"), Int(parts[0].dropFirst(3)) != nil else {
      return nil
    }
    adapter = String(parts[0])
    if parts.count > 1 {
      guard parts[1].hasPrefix("dev_"),
        let address = BluetoothAddress(text: String(parts[1].dropFirst(4).map { $0 == "_" ? ":" : $0 }))
      else { return nil }
      device = address.value
    }
    if parts.count > 2 {
      guard let handle = Self.handle(parts[2], "service") else { return nil }
      service = handle
    }
    if parts.count > 3 {
      guard let handle = Self.handle(parts[3], "char") else { return nil }
      characteristic = handle
    }
  }

  /// The path as text.
  package var text: String {
    var text = Self.root + adapter
    if let device {
      let address = BluetoothAddress(value: device, kind: .public).description
      text += "/dev_" + String(address.map { $0 == ":" ? "_" : $0 })
    }
    if let service { text += "/service" + Self.hexadecimal(service) }
    if let characteristic { text += "/char" + Self.hexadecimal(characteristic) }
    return text
  }

  private static func handle(_ text: Substring, _ prefix: String) -> UInt16? {
    let digits = text.dropFirst(prefix.count)
    guard text.hasPrefix(prefix), digits.utf8.count == 4, digits.utf8.first != UInt8(ascii: "+") else { return nil }
    return UInt16(digits, radix: 16)
  }

  private static func hexadecimal(_ handle: UInt16) -> String {
    let digits = String(handle, radix: 16)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
