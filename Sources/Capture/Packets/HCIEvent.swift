import TachogramCore

/// The HCI events that the dissector uses (Core Specification 5.4, Vol 4, Part E, 7.7).
enum HCIEvent {
  /// A connection was established. Classic connections are included because they share the handles.
  case connected(handle: UInt16, address: BluetoothAddress?)
  case disconnected(handle: UInt16, reason: UInt8)
  /// Devices advertised, in the legacy or the extended layout; see `forEachAdvertisement`.
  case advertisements(isExtended: Bool)

  /// Reads an event, or returns `nil` for other events, for failures, and for events that are shorter than their layout.
  init?(code: UInt8, parameters: Span<UInt8>) {
    switch code {
    case 0x03:
      guard parameters.byte(at: 0) == 0, let handle = parameters.littleEndian16(at: 1) else { return nil }
      self = .connected(handle: handle & 0x0FFF, address: BluetoothAddress(parameters, at: 3, kind: 0))
    case 0x05:
      guard parameters.byte(at: 0) == 0, let handle = parameters.littleEndian16(at: 1),
        let reason = parameters.byte(at: 3)
      else { return nil }
      self = .disconnected(handle: handle & 0x0FFF, reason: reason)
    case 0x3E:
      self.init(lowEnergy: parameters)
    default:
      return nil
    }
  }

  private init?(lowEnergy parameters: Span<UInt8>) {
    switch parameters.byte(at: 0) {
    case 0x01, 0x0A, 0x29:
      guard parameters.byte(at: 1) == 0, let handle = parameters.littleEndian16(at: 2),
        let kind = parameters.byte(at: 5)
      else { return nil }
      self = .connected(handle: handle & 0x0FFF, address: BluetoothAddress(parameters, at: 6, kind: kind))
    case 0x02: self = .advertisements(isExtended: false)
    case 0x0D: self = .advertisements(isExtended: true)
    default: return nil
    }
  }

  /// Calls `body` with the address and the data of each report in the parameters of an advertising report event.
  static func forEachAdvertisement(
    _ parameters: Span<UInt8>, isExtended: Bool, _ body: (BluetoothAddress, Span<UInt8>) -> Void
  ) {
    // The offsets of the address type and of the data length in a report, and the number of bytes after the data (signal
    // strength).
    let (addressType, dataLength, trailer) = isExtended ? (2, 23, 0) : (1, 8, 1)
    var start = 2
    for _ in 0..<(parameters.byte(at: 1) ?? 0) {
      guard let kind = parameters.byte(at: start + addressType),
        let address = BluetoothAddress(parameters, at: start + addressType + 1, kind: kind),
        let length = parameters.byte(at: start + dataLength),
        parameters.holds(Int(length), at: start + dataLength + 1)
      else { return }
      let data = start + dataLength + 1
      body(address, parameters.extracting(data..<(data + Int(length))))
      start = data + Int(length) + trailer
    }
  }
}
