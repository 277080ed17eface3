/// The classes of octets in HTTP/1.1 messages (RFC 9110, 5.5 and 5.6; RFC 3986, 2).
enum HTTPOctets {
  static let tab: UInt8 = 9
  static let lineFeed: UInt8 = 10
  static let carriageReturn: UInt8 = 13
  static let space: UInt8 = 32
  static let colon: UInt8 = 58

  /// Whether an octet is a `tchar`, which methods and field names consist of.
  static func isToken(_ octet: UInt8) -> Bool {
    isAlphanumeric(octet) || "!#$%&'*+-.^_`|~".utf8.contains(octet)
  }

  /// Whether an octet may be in a field value: a visible character, an octet above ASCII, a space or a tab.
  static func isFieldContent(_ octet: UInt8) -> Bool {
    octet == tab || (octet >= space && octet != 127)
  }

  /// Whether an octet may be in a request target: visible ASCII except `#`, since browsers do not send fragments.
  static func isTarget(_ octet: UInt8) -> Bool {
    octet > space && octet < 127 && octet != UInt8(ascii: "#")
  }

  /// Whether an octet has the same meaning with and without percent-encoding (RFC 3986, 2.3).
  static func isUnreserved(_ octet: UInt8) -> Bool { isAlphanumeric(octet) || "-._~".utf8.contains(octet) }

  /// Whether an octet may be in a host name: `unreserved`, `sub-delims` and the percent sign.
  static func isHostName(_ octet: UInt8) -> Bool {
    isAlphanumeric(octet) || "-._~!$&'()*+,;=%".utf8.contains(octet)
  }

  static func isDigit(_ octet: UInt8) -> Bool { octet >= 48 && octet <= 57 }

  private static func isAlphanumeric(_ octet: UInt8) -> Bool {
    isDigit(octet) || (octet | 32 >= 97 && octet | 32 <= 122)
  }

  /// Returns the value of a hexadecimal digit, or `nil` for any other octet.
  static func hexadecimal(_ octet: UInt8) -> Int? {
    switch octet {
    case 48...57: Int(octet) - 48
    case 65...70, 97...102: Int(octet | 32) - 87
    default: nil
    }
  }

  static func isBlank(_ octet: UInt8) -> Bool { octet == space || octet == tab }

  /// Returns the octets without spaces and tabs at both ends.
  static func trimmed(_ octets: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = octets.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}
