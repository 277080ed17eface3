/// The records of a btsnoop file as bytes, for removing or damaging some of them. An implementation for tests, independent of
/// the reader.
package enum BtsnoopRecords {
  /// Returns the records with their headers, in order.
  package static func split(_ file: [UInt8]) -> [[UInt8]] {
    var records: [[UInt8]] = []
    var position = 16
    while position + 24 <= file.count {
      let length = file[(position + 4)..<(position + 8)].reduce(0) { $0 << 8 | Int($1) }
      let end = min(file.count, position + 24 + length)
      records.append(Array(file[position..<end]))
      position = end
    }
    return records
  }

  /// Returns a file of records.
  package static func join(_ records: [[UInt8]]) -> [UInt8] {
    Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA] + records.flatMap(\.self)
  }

  /// Returns the opcode of the attribute PDU in a record, or `nil` if the record has none.
  package static func attributeOpcode(_ record: [UInt8]) -> UInt8? {
    // 24 bytes of record header, the type, 4 bytes of ACL header, and 4 of L2CAP header with the channel in the last two.
    guard record.count > 33, record[24] == 2, record[31] == 4, record[32] == 0 else { return nil }
    return record[33]
  }
}
