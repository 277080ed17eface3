/// A frame of the kernel's Bluetooth monitor channel, as in btsnoop files with datalink 2001 and in the output of `btmon`.
package struct MonitorFrame: Hashable, Sendable {
  /// The kind of a frame (BlueZ `src/shared/btsnoop.h`).
  package enum Kind: UInt16, Hashable, Sendable {
    case adapterAdded = 0
    case adapterRemoved = 1
    case command = 2
    case event = 3
    case aclSent = 4
    case aclReceived = 5
    case scoSent = 6
    case scoReceived = 7
    case adapterOpened = 8
    case adapterClosed = 9
    case adapterInformation = 10
    case vendorDiagnostics = 11
    case systemNote = 12
    case userLogging = 13
    case controlOpened = 14
    case controlClosed = 15
    case controlCommand = 16
    case controlEvent = 17
    case isoSent = 18
    case isoReceived = 19
  }

  /// Civil time of the frame, in microseconds since 1970.
  package var time: Int64
  /// The number of the kind. A later kernel may have kinds that `Kind` lacks.
  package let opcode: UInt16
  /// The N of hciN, or 0xFFFF for frames that do not concern an adapter.
  package let adapter: UInt16
  package let bytes: [UInt8]

  package init(time: Int64, opcode: UInt16, adapter: UInt16, bytes: [UInt8]) {
    self.time = time
    self.opcode = opcode
    self.adapter = adapter
    self.bytes = bytes
  }

  /// Decodes a datagram of the channel: opcode, adapter and length, little-endian, and the bytes. Returns `nil` if the length
  /// is wrong.
  package init?(time: Int64, datagram: ArraySlice<UInt8>) {
    var reader = LittleEndianReader(datagram, what: "a monitor frame")
    guard let opcode = try? reader.uint16(), let adapter = try? reader.uint16(), let length = try? reader.uint16(),
      reader.remaining == Int(length), let bytes = try? reader.read(Int(length))
    else { return nil }
    self.init(time: time, opcode: opcode, adapter: adapter, bytes: Array(bytes))
  }

  package var kind: Kind? { Kind(rawValue: opcode) }
}
