/// A message of the Bluetooth Management interface (BlueZ `doc/mgmt-api.txt`, "Packet Structures"): code, adapter,
/// length, parameters; every number is little-endian.
package struct ManagementPacket: Hashable, Sendable {
  /// The number of bytes before the parameters.
  static let headerLength = 6
  /// The index that stands for no adapter.
  static let noAdapter: UInt16 = 0xFFFF

  /// The opcode of a command, or the code of an event.
  package let code: UInt16
  /// The adapter that the packet concerns, the N of hciN, or `nil` for the whole system.
  package let adapter: UInt16?
  package let parameters: [UInt8]

  package init(code: UInt16, adapter: UInt16?, parameters: [UInt8] = []) {
    self.code = code
    self.adapter = adapter
    self.parameters = parameters
  }

  /// Decodes a datagram. The declared length must be the actual length.
  package init(decoding bytes: some Collection<UInt8>) throws(ManagementPacketError) {
    let all = Array(bytes)
    var reader = LittleEndianReader(all[...], what: "the header of a management packet")
    code = try reader.uint16()
    let index = try reader.uint16()
    adapter = index == Self.noAdapter ? nil : index
    let length = Int(try reader.uint16())
    guard reader.remaining == length else {
      throw .lengthMismatch(declared: length, present: reader.remaining)
    }
    parameters = Array(try reader.read(length))
  }

  /// The datagram; fails when the parameters are longer than 65 535 bytes.
  package func encoded() throws(ManagementPacketError) -> [UInt8] {
    guard let length = UInt16(exactly: parameters.count) else {
      throw .tooLong(what: "the parameters", length: parameters.count)
    }
    return [code, adapter ?? Self.noAdapter, length].flatMap(Self.bytes) + parameters
  }

  /// The two bytes of a number, least significant first.
  static func bytes(_ word: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8)]
  }
}
