/// Detects whether the peer of a connection is a heart-rate sensor: it lists the Heart Rate Service or its measurement during
/// discovery, or it sends values that are almost certainly measurements.
struct HeartRateEvidence {
  private static let service: UInt16 = 0x180D
  private static let measurement: UInt16 = 0x2A37
  /// The number of consecutive values on one handle, each with RR intervals that fit its heart rate, that identify a sensor
  /// without discovery. bluetoothd caches the services of a strap and does not discover them again.
  private static let convincing = 4
  /// The number of handles whose values are examined.
  private static let handleLimit = 32

  private(set) var isFound = false
  private var asksForService = false
  private var askedType: UInt16?
  private var fitting: [UInt16: Int] = [:]

  /// Handles an attribute PDU from this host.
  mutating func sent(_ pdu: ArraySlice<UInt8>) {
    let bytes = Array(pdu)
    switch bytes.first {
    case 0x06:
      // Find By Type Value: the primary service with this UUID.
      asksForService =
        Self.word(bytes, at: 5) == 0x2800 && Self.isUUID(Self.service, in: bytes[min(7, bytes.count)...])
    case 0x08:
      askedType = bytes.count == 7 ? Self.word(bytes, at: 5) : nil
    default:
      break
    }
  }

  /// Handles an attribute PDU from the peer.
  mutating func received(_ pdu: ArraySlice<UInt8>) {
    if isFound { return }
    let bytes = Array(pdu)
    switch bytes.first {
    case 0x05:
      let isShort = bytes.count > 1 && bytes[1] == 1
      isFound = Self.lists(Self.measurement, in: bytes, from: 2, stride: isShort ? 4 : 18, uuidAt: 2)
    case 0x07:
      isFound = asksForService && bytes.count >= 5
    case 0x09:
      guard askedType == 0x2803, bytes.count > 1, bytes[1] == 7 || bytes[1] == 21 else { return }
      isFound = Self.lists(Self.measurement, in: bytes, from: 2, stride: Int(bytes[1]), uuidAt: 5)
    case 0x11:
      guard bytes.count > 1, bytes[1] == 6 || bytes[1] == 20 else { return }
      isFound = Self.lists(Self.service, in: bytes, from: 2, stride: Int(bytes[1]), uuidAt: 4)
    case 0x1B, 0x1D:
      guard let handle = Self.word(bytes, at: 1) else { return }
      weigh(bytes[3...], on: handle)
    default:
      break
    }
  }

  private mutating func weigh(_ value: ArraySlice<UInt8>, on handle: UInt16) {
    guard fitting[handle] != nil || fitting.count < Self.handleLimit else { return }
    switch Self.fits(value) {
    case true?: fitting[handle, default: 0] += 1
    case false?: fitting[handle] = 0
    case nil: break
    }
    if fitting[handle, default: 0] >= Self.convincing { isFound = true }
  }

  /// Whether a value is a Heart Rate Measurement whose RR intervals fit its heart rate; `nil` for one without intervals, which
  /// is no evidence.
  private static func fits(_ value: ArraySlice<UInt8>) -> Bool? {
    let bytes = Array(value)
    guard let flags = bytes.first, flags & 0xE0 == 0 else { return false }
    let rateLength = flags & 0x01 == 0 ? 1 : 2
    let first = 1 + rateLength + (flags & 0x08 == 0 ? 0 : 2)
    guard bytes.count >= first, (bytes.count - first).isMultiple(of: 2) else { return false }
    guard flags & 0x10 != 0, bytes.count > first else { return bytes.count == first ? nil : false }
    let rate = rateLength == 1 ? Int(bytes[1]) : Int(word(bytes, at: 1) ?? 0)
    guard (25...250).contains(rate) else { return false }
    let ticks = stride(from: first, to: bytes.count, by: 2).map { Int(word(bytes, at: $0) ?? 0) }
    // 1/1024 s; a beat may come at half or twice the mean interval.
    let expected = 60 * 1024 / rate
    return ticks.allSatisfy { $0 > expected / 2 && $0 < expected * 2 }
  }

  private static func lists(_ uuid: UInt16, in bytes: [UInt8], from start: Int, stride length: Int, uuidAt: Int) -> Bool
  {
    stride(from: start, through: bytes.count - length, by: length)
      .contains { isUUID(uuid, in: bytes[($0 + uuidAt)..<($0 + length)]) }
  }

  /// Whether `bytes` are `uuid`, in its short form or spelled out with the Bluetooth base UUID.
  private static func isUUID(_ uuid: UInt16, in bytes: ArraySlice<UInt8>) -> Bool {
    let short = ManagementPacket.bytes(uuid)
    let base: [UInt8] = [0xFB, 0x34, 0x9B, 0x5F, 0x80, 0x00, 0x00, 0x80, 0x00, 0x10, 0x00, 0x00]
    return bytes.elementsEqual(short) || bytes.elementsEqual(base + short + [0, 0])
  }

  private static func word(_ bytes: [UInt8], at offset: Int) -> UInt16? {
    offset + 1 < bytes.count ? UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8 : nil
  }
}
