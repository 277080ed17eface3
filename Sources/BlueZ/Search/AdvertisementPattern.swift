import DBus
import GATT

/// A pattern of bytes at an offset in a field of an advertisement, which a monitor matches (BlueZ
/// doc/org.bluez.AdvertisementMonitor.rst). Field types are those of Bluetooth Assigned Numbers, 2.3.
struct AdvertisementPattern: Hashable, Sendable {
  private static let incompleteServices: UInt8 = 0x02
  private static let completeServices: UInt8 = 0x03
  private static let manufacturerData: UInt8 = 0xFF
  /// The offsets in a list of services at which the Heart Rate Service is matched. Straps list it among their first services,
  /// and controllers that filter advertisements have room for few patterns.
  private static let places: [UInt8] = [0, 2, 4]

  let start: UInt8
  let field: UInt8
  let content: [UInt8]

  /// Straps that offer the Heart Rate Service or broadcast their heart rate.
  static let straps =
    places.flatMap { place in
      [completeServices, incompleteServices].map {
        AdvertisementPattern(start: place, field: $0, content: littleEndian(GATTUUID.heartRateService))
      }
    } + broadcasts

  /// Straps that broadcast their heart rate.
  static let broadcasts = [
    AdvertisementPattern(start: 0, field: manufacturerData, content: littleEndian(PolarBroadcast.company)),
    AdvertisementPattern(
      start: 0, field: manufacturerData, content: littleEndian(HuamiBroadcast.company) + [HuamiBroadcast.kind]),
  ]

  /// `(yyay)`.
  var value: DBusValue { .structure([.byte(start), .byte(field), .bytes(content)]) }

  /// The property `Patterns`, `a(yyay)`.
  static func value(_ patterns: [AdvertisementPattern]) -> DBusValue {
    .array(of: .structure([.byte, .byte, .array(.byte)]), patterns.map(\.value))
  }

  private static func littleEndian(_ number: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
  }
}
