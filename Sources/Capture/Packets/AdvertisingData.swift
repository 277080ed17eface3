/// The structures in advertising data (Core Specification Supplement 11, Part A, 1).
enum AdvertisingData {
  /// Returns the range of the complete or shortened local name, or `nil` if there is no name.
  static func localName(_ data: Span<UInt8>) -> Range<Int>? {
    var position = 0
    while let length = data.byte(at: position), length > 0, let type = data.byte(at: position + 1) {
      if type == 0x09 || type == 0x08 {
        return data.holds(Int(length) - 1, at: position + 2) ? (position + 2)..<(position + 1 + Int(length)) : nil
      }
      position += 1 + Int(length)
    }
    return nil
  }
}
