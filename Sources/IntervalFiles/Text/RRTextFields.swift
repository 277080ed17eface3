/// Splits a line into fields, and parses numbers in them.
struct RRTextFields {
  var separator: RRTextDialect.Separator
  var decimal: RRTextDialect.Decimal

  private static let quote = UInt8(ascii: "\"")

  /// Returns the fields of a line without surrounding white space and quotes. Empty fields at the end are omitted, and with
  /// blanks as separators all empty fields.
  func split(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    guard let byte = separator.byte else { return [Self.bare(line)] }
    var fields: [ArraySlice<UInt8>] = []
    var start = line.startIndex
    var isQuoted = false
    func end(_ index: Int) {
      let field = Self.bare(line[start..<index])
      if separator != .blanks || !field.isEmpty { fields.append(field) }
    }
    for index in line.indices {
      if line[index] == Self.quote {
        isQuoted.toggle()
      } else if !isQuoted, line[index] == byte || separator == .blanks && line[index] == UInt8(ascii: "\t") {
        end(index)
        start = index + 1
      }
    }
    end(line.endIndex)
    while fields.count > 1, fields.last?.isEmpty == true { fields.removeLast() }
    return fields
  }

  /// Parses a finite number in decimal digits.
  func number(_ text: ArraySlice<UInt8>) -> Double? {
    shortNumber(text) ?? anyNumber(text)
  }

  /// Parses a number of at most 15 digits with an optional decimal separator between them, which needs a single, correctly
  /// rounded division. Returns `nil` if `anyNumber` has to parse it.
  private func shortNumber(_ text: ArraySlice<UInt8>) -> Double? {
    let sign = decimal == .point ? UInt8(ascii: ".") : UInt8(ascii: ",")
    guard (1...15).contains(text.count), text.first != sign, text.last != sign else { return nil }
    var digits: Int64 = 0
    var divisor: Int64 = 0
    for byte in text {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits = digits * 10 + Int64(byte - UInt8(ascii: "0"))
        divisor *= 10
      case sign where divisor == 0: divisor = 1
      default: return nil
      }
    }
    return divisor == 0 ? Double(digits) : Double(digits) / Double(divisor)
  }

  private func anyNumber(_ text: ArraySlice<UInt8>) -> Double? {
    var bytes = Array(text)
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "e"),
        UInt8(ascii: "E"):
        break
      case UInt8(ascii: "."):
        if decimal == .comma { return nil }
      case UInt8(ascii: ","):
        // A comma at the start or the end separates two columns, one of which is empty.
        guard decimal == .comma, index > 0, Self.isDigit(bytes[index - 1]), index < bytes.count - 1 else { return nil }
        bytes[index] = UInt8(ascii: ".")
      default:
        return nil
      }
    }
    guard let number = Double(String(decoding: bytes, as: UTF8.self)), number.isFinite else { return nil }
    return number
  }

  /// Returns the only field of a line with one column.
  static func bare(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let inner = trimmed(text)
    guard inner.count >= 2, inner.first == quote, inner.last == quote else { return inner }
    return trimmed(inner.dropFirst().dropLast())
  }

  /// Returns the text without surrounding white space.
  static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var (start, end) = (text.startIndex, text.endIndex)
    while start < end, isWhite(text[start]) { start += 1 }
    while start < end, isWhite(text[end - 1]) { end -= 1 }
    return text[start..<end]
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isWhite(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0B || byte == 0x0C
  }
}
