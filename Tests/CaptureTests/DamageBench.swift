import TachogramTestKit

/// A capture to damage, and where its records stand.
struct DamageBench {
  let file: [UInt8]
  /// Where each packet's record begins, and the end of the file.
  let boundaries: [Int]
  /// The value that each packet notifies, if it does.
  let values: [[UInt8]?]

  /// A connection with discovery, then notifications, each of another value, a second apart.
  init(_ variant: FormatVariant, notifications: Int = 12) {
    var script = PacketScript()
    script.connect()
    script.discover()
    var values: [[UInt8]?] = [nil, nil, nil]
    for index in 0..<notifications {
      let value: [UInt8] = [0x16, UInt8(index), UInt8(index), 0x03]
      script.notify(value)
      values.append(value)
    }
    var boundaries: [Int] = []
    for count in 0...script.packets.count { boundaries.append(variant.wrap(script.prefix(count)).count) }
    file = variant.wrap(script)
    self.boundaries = boundaries
    self.values = values
  }

  /// Bytes before the first record.
  var headerLength: Int { boundaries[0] }

  /// The packet whose record holds a byte; `nil` in the header of the file.
  func packet(at offset: Int) -> Int? {
    offset < headerLength ? nil : boundaries.lastIndex { $0 <= offset }
  }

  /// All values.
  var allValues: [[UInt8]] { values.compactMap(\.self) }

  /// All values but those of some packets.
  func values(without packets: ClosedRange<Int>) -> [[UInt8]] {
    values.enumerated().compactMap { packets.contains($0) ? nil : $1 }
  }

  /// The file with some bytes in the place of others.
  func replacing(_ range: Range<Int>, with bytes: [UInt8]) -> [UInt8] {
    var replaced = file
    replaced.replaceSubrange(range, with: bytes)
    return replaced
  }
}
