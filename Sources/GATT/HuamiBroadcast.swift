/// The heart rate in the advertisements of watches and bands by Huami: Xiaomi Mi Band 3 to 7 and Amazfit, where their application
/// allows it, during an activity.
///
/// Manufacturer data of company 0x0157, 24 bytes, as published by those who receive them (the decoder of Theengs,
/// `Miband_json.h`; Tnze/miband-heart-rate, tag miband-4-to-7): `02`, two bytes, the heart rate or `FF`, 13 bytes, `03` and the
/// address. Other first bytes are other contents, some of them encrypted.
package struct HuamiBroadcast: Hashable, Sendable {
  /// Anhui Huami Information Technology Co., Ltd. (Bluetooth Assigned Numbers, 7.1).
  package static let company: UInt16 = 0x0157
  /// The first byte of data with a heart rate.
  package static let kind: UInt8 = 0x02

  private static let length = 24
  private static let place = 3
  private static let absent: UInt8 = 0xFF

  /// The heart rate in beats per minute, as averaged by the watch.
  package var heartRate: UInt8

  /// Reads manufacturer data, or returns `nil` if it has no heart rate.
  package init?(data: [UInt8]) {
    guard data.count == Self.length, data[0] == Self.kind else { return nil }
    let value = data[Self.place]
    guard value > 0, value != Self.absent else { return nil }
    heartRate = value
  }
}
