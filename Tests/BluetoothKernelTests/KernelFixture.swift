import TachogramCore
import Testing

@testable import BluetoothKernel

/// Values that several tests of the kernel's side share.
enum KernelFixture {
  /// C0:FF:EE:00:00:01.
  static func strap(_ kind: BluetoothAddress.Kind) throws -> BluetoothAddress {
    try #require(BluetoothAddress(text: "C0:FF:EE:00:00:01", kind: kind))
  }

  /// The return parameters of Read Controller Information.
  static func information(settings: UInt32, name: String) -> [UInt8] {
    let current = (0..<4).map { UInt8(truncatingIfNeeded: settings >> (8 * $0)) }
    let address: [UInt8] = [0xFB, 0x34, 0x9B, 0x5F, 0x80, 0x00]
    let versionAndSupported: [UInt8] = [13, 0x0F, 0x00, 0xFF, 0xFF, 0x01, 0x00]
    let deviceClass: [UInt8] = [0, 0, 0]
    let names = field(name, count: 249) + field("short", count: 11)
    return address + versionAndSupported + current + deviceClass + names
  }

  private static func field(_ text: String, count: Int) -> [UInt8] {
    Array(text.utf8) + [UInt8](repeating: 0, count: count - text.utf8.count)
  }
}
