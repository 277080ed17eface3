import Capture

/// A definition message (FIT protocol, "Definition Message"): how the data messages of a local type are laid out.
struct FITDefinition {
  struct Field {
    let number: UInt8
    /// The offset from the start of the content of a data message, in bytes.
    let offset: Int
    let size: Int
    let baseType: UInt8
  }

  /// The greatest length of a definition including its header: 255 fields and 255 developer fields.
  static let longest = 6 + 3 * 255 + 1 + 3 * 255
  /// The global numbers of the messages that are used (FIT profile).
  static let event: UInt16 = 21
  static let hrv: UInt16 = 78

  private static let timestampField: UInt8 = 253
  private static let uint16Type: UInt8 = 0x84
  /// The sizes of the base types, by their low five bits.
  private static let sizes = [1, 1, 1, 2, 2, 4, 4, 1, 4, 8, 1, 2, 4, 1, 8, 8, 8]

  let globalNumber: UInt16
  let isBigEndian: Bool
  let fields: [Field]
  /// The length of the content of a data message in bytes, including developer fields.
  let contentLength: Int
  /// The length of the definition, including its header.
  let length: Int

  /// Reads a definition, starting with its header, or returns `nil` if it is truncated or invalid.
  init?(_ bytes: Span<UInt8>) {
    guard let header = bytes.byte(at: 0), header & 0xD0 == 0x40, bytes.byte(at: 1) == 0, bytes.holds(6, at: 0),
      bytes[2] <= 1, bytes[5] > 0
    else { return nil }
    isBigEndian = bytes[2] == 1
    guard let number = isBigEndian ? bytes.bigEndian16(at: 3) : bytes.littleEndian16(at: 3), number != 0xFFFF else {
      return nil
    }
    globalNumber = number
    var (offset, content) = (6, 0)
    var fields: [Field] = []
    for _ in 0..<bytes[5] {
      guard bytes.holds(3, at: offset) else { return nil }
      let field = Field(
        number: bytes[offset], offset: content, size: Int(bytes[offset + 1]), baseType: bytes[offset + 2])
      guard Self.isPossible(field) else { return nil }
      fields.append(field)
      content += field.size
      offset += 3
    }
    if header & 0x20 != 0 {
      guard let developerFields = bytes.byte(at: offset) else { return nil }
      offset += 1
      for _ in 0..<developerFields {
        guard bytes.holds(3, at: offset) else { return nil }
        content += Int(bytes[offset + 1])
        offset += 3
      }
    }
    (self.fields, contentLength, length) = (fields, content, offset)
  }

  /// Whether the reserved bits 5 and 6 of the base type are clear and the field is a whole number of values.
  private static func isPossible(_ field: Field) -> Bool {
    let type = Int(field.baseType & 0x1F)
    return field.baseType & 0x60 == 0 && type < sizes.count && field.size > 0 && field.size % sizes[type] == 0
  }

  // MARK: - Values in the content of a data message

  /// The timestamp in seconds since 1989-12-31, or `nil` if the message has no timestamp.
  func timestamp(in content: Span<UInt8>) -> UInt32? {
    guard let field = field(Self.timestampField), field.size == 4 else { return nil }
    let value = isBigEndian ? content.bigEndian32(at: field.offset) : content.littleEndian32(at: field.offset)
    return value == .max ? nil : value
  }

  /// The value of a field of one byte.
  func byte(_ number: UInt8, in content: Span<UInt8>) -> UInt8? {
    guard let field = field(number), field.size == 1 else { return nil }
    return content.byte(at: field.offset)
  }

  /// The values of a field of 16-bit numbers, or `nil` if the field has another type.
  func numbers(_ number: UInt8, in content: Span<UInt8>) -> [UInt16]? {
    guard let field = field(number), field.baseType == Self.uint16Type else { return nil }
    var numbers: [UInt16] = []
    for offset in stride(from: field.offset, to: field.offset + field.size, by: 2) {
      guard let value = isBigEndian ? content.bigEndian16(at: offset) : content.littleEndian16(at: offset) else {
        break
      }
      numbers.append(value)
    }
    return numbers
  }

  private func field(_ number: UInt8) -> Field? {
    fields.first { $0.number == number }
  }
}
