/// A FIT file built byte by byte from the description of the protocol.
package struct FITScript {
  package var isBigEndian = false
  package private(set) var records: [UInt8] = []
  /// The number of data messages.
  package private(set) var messages = 0

  /// Creates a file without records.
  package init(isBigEndian: Bool = false) {
    self.isBigEndian = isBigEndian
  }

  /// Adds a definition message of local type `local`. The fields are number, size and base type.
  package mutating func define(
    _ local: UInt8, _ global: UInt16, _ fields: [(UInt8, UInt8, UInt8)], developer: [(UInt8, UInt8, UInt8)] = [],
  ) {
    records += [0x40 | local | (developer.isEmpty ? 0 : 0x20), 0, isBigEndian ? 1 : 0] + word(global)
    records += [UInt8(fields.count)] + fields.flatMap { [$0, $1, $2] }
    if !developer.isEmpty { records += [UInt8(developer.count)] + developer.flatMap { [$0, $1, $2] } }
  }

  /// Defines the messages that the reader supports: hrv as local type 1 with five intervals, event as 2, record as 0.
  package mutating func defineAll(developer: [(UInt8, UInt8, UInt8)] = []) {
    define(0, 20, [(253, 4, 0x86), (3, 1, 0x02)])
    define(1, 78, [(0, 10, 0x84)], developer: developer)
    define(2, 21, [(253, 4, 0x86), (0, 1, 0), (1, 1, 0), (3, 4, 0x86)])
  }

  package mutating func data(_ header: UInt8, _ content: [UInt8]) {
    records += [header] + content
    messages += 1
  }

  /// Adds an hrv message of up to five intervals in ms.
  package mutating func hrv(_ intervals: [Int], header: UInt8 = 1, developer: [UInt8] = []) {
    let filled = intervals.map(UInt16.init) + Array(repeating: 0xFFFF, count: 5 - intervals.count)
    data(header, filled.flatMap(word) + developer)
  }

  /// Adds intervals in messages of `size`, with record messages in between.
  package mutating func series(_ intervals: [Int], size: Int = 3) {
    for start in stride(from: 0, to: intervals.count, by: size) {
      hrv(Array(intervals[start..<min(start + size, intervals.count)]))
      if start % 9 == 0 { record(UInt32(start)) }
    }
  }

  package mutating func record(_ time: UInt32) {
    data(0, long(time) + [70])
  }

  /// Adds an event of the timer.
  package mutating func timer(_ type: UInt8, at time: UInt32) {
    data(2, long(time) + [0, type] + long(0))
  }

  /// Returns the file with header and checksum. `length` replaces the actual length in the header.
  package func file(headerLength: UInt8 = 14, length: UInt32? = nil) -> [UInt8] {
    let count = length ?? UInt32(records.count)
    var file: [UInt8] = [headerLength, 0x20, 0x54, 0x08]
    file += (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } + Array(".FIT".utf8)
    if headerLength == 14 { file += Self.checksum(file) }
    file += records
    return file + Self.checksum(file)
  }

  /// Returns the checksum, computed bit by bit, low byte first.
  package static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    var value: UInt16 = 0
    for byte in bytes {
      for bit in 0..<8 {
        let carry = (value ^ UInt16(byte >> bit)) & 1
        value >>= 1
        if carry == 1 { value ^= 0xA001 }
      }
    }
    return [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
  }

  private func word(_ value: UInt16) -> [UInt8] {
    let bytes = [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
    return isBigEndian ? bytes.reversed() : bytes
  }

  private func long(_ value: UInt32) -> [UInt8] {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }
}
