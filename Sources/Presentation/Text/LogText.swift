import TachogramCore

/// Text for logs, which are kept, sent around and read by others. This is the only place that decides how much of a strap's
/// address a log contains: the last byte, `…:01`.
package enum LogText {
  /// Returns the text without control characters, and with every Bluetooth address shortened, also if it is written with dashes
  /// or is part of a D-Bus object path or a URL. Addresses next to letters are shortened too, so that none is missed.
  package static func safe(_ text: String) -> String {
    let bytes = Array(TerminalText.withoutControls(text).utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if let (address, end) = address(bytes[index...]) {
        result += Array(address.shortForm.utf8)
        index = end
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The address at the beginning of `bytes`, and the index behind it.
  private static func address(_ bytes: ArraySlice<UInt8>) -> (BluetoothAddress, end: Int)? {
    var rest = bytes
    var octets: UInt64 = 0
    for number in 0..<6 {
      if number > 0 { rest = rest.dropFirst(separator(rest)) }
      guard rest.count >= 2, let high = value(rest[rest.startIndex]), let low = value(rest[rest.startIndex + 1]) else {
        return nil
      }
      octets = octets << 8 | UInt64(high << 4 | low)
      rest = rest.dropFirst(2)
      if number < 5, separator(rest) == 0 { return nil }
    }
    return (BluetoothAddress(value: octets, kind: .public), rest.startIndex)
  }

  /// The length of the separator between two bytes of an address; 0 if there is no separator.
  private static func separator(_ bytes: ArraySlice<UInt8>) -> Int {
    guard let first = bytes.first else { return 0 }
    if [UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(first) { return 1 }
    return ["%3A", "%3a"].contains { bytes.starts(with: $0.utf8) } ? 3 : 0
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
